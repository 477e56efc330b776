import { modeOf } from '../../../core/domain/user-share.ts';
import { type HoldOutcome, type HoldRequest, sponsoredPayment } from '../../../core/ledger/holds/hold-request.ts';
import type { ChainView } from '../../../core/node/followed-chain.ts';
import { chooseWindow } from '../../../core/sponsorship/sponsored-terms.ts';
import type { OperationGas } from '../chain/operation-gas.ts';
import type { ModelOutcome } from '../model/ledger-model.ts';
import type { RunningService } from '../service/start-process.ts';
import {
  accountId,
  chainId,
  contractAt,
  type SimulatedContract,
  senders,
  signingKey,
  tenants,
} from '../world/world.ts';
import { chooseGas, worstCase } from './choose-gas.ts';
import { servedTenants } from './configured-contracts.ts';
import { checkChain } from './look-at-chain.ts';
import { clockOf, seeChain } from './see-chain.ts';
import { customerBalance, freshHash } from './send-transactions.ts';
import { simulatedDecision } from './simulated-decision.ts';
import { type Asked, nextSerial, type Simulation, serviceTime, tell } from './simulation-state.ts';
import type { Step } from './take-steps.ts';

/** Requests that a client remembers. */
const maxRemembered = 60;

/** The operator's bounds, in seconds. */
const validity = { defaultSeconds: 300, minSeconds: 30, maxSeconds: 600 };

/** Some clients ask at once. */
export const askForSignatures: Step = (simulation) => askAt(simulation, simulation.service.running());

/** Some clients ask one process at once. */
export async function askAt(simulation: Simulation, at: RunningService): Promise<void> {
  const view = seeChain(simulation, at);
  if (view === undefined) return;
  const count = simulation.random.between(1, 6);
  await askFor(
    simulation,
    Array.from({ length: count }, () => nextRequest(simulation, view)),
    at,
  );
}

/**
 * Asks for these at once; what they are answered is what the model answers, and what they are given is signed. Nothing is
 * asked while the service would sign nothing.
 */
export async function askFor(
  simulation: Simulation,
  asked: readonly HoldRequest[],
  at: RunningService = simulation.service.running(),
): Promise<void> {
  const view = seeChain(simulation, at);
  if (view === undefined) return;
  const requests = asked.map((request) => ({
    ...request,
    chainDeposit: view.deposits.get(request.tank.contract) ?? 0n,
    decisionRow: () => simulatedDecision(request, serviceTime(simulation)),
  }));
  const { crash, holds } = at;
  const deciding: Asked = { requests, expected: undefined };
  simulation.asked.set(crash, deciding);
  const answers = await Promise.allSettled(requests.map((request) => holds.hold(request)));
  simulation.asked.delete(crash);
  const { expected } = deciding;
  tell(simulation, `${requests.length} requests, ${expected === undefined ? 'not committed' : 'committed'}`);
  if (!crash.isDead() && expected === undefined) {
    const failed = answers.find((answer) => answer.status === 'rejected');
    throw new Error('Requests were answered before they were committed.', { cause: failed?.reason });
  }
  for (const [index, outcome] of (expected ?? []).entries()) {
    const [request, answer] = [requests[index], answers[index]];
    if (request === undefined) continue;
    tell(simulation, `  ${describe(request)}: ${outcome.kind}`);
    if (answer?.status === 'fulfilled')
      take(simulation, request, { at, view, expected: outcome, answer: answer.value });
    else if (!crash.isDead()) throw new Error('A request was rejected.', { cause: answer?.reason });
  }
}

/** Some clients ask in the middle of a look at the chain. */
export async function askDuringCheck(simulation: Simulation): Promise<void> {
  const { random, nodes } = simulation;
  for (const { faults } of nodes) faults.slow = true;
  const asking = async (): Promise<void> => {
    for (let left = random.below(8); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
    await askForSignatures(simulation);
  };
  await Promise.all([checkChain(simulation), asking()]);
  for (const { faults } of nodes) faults.slow = false;
}

/** Compares an answer with the model's and signs what was granted. */
function take(
  simulation: Simulation,
  request: HoldRequest,
  {
    at,
    view,
    expected,
    answer,
  }: {
    readonly at: RunningService;
    readonly view: ChainView;
    readonly expected: ModelOutcome;
    readonly answer: HoldOutcome;
  },
): void {
  if (answer.kind !== expected.kind) throw new Error(`A request was ${answer.kind}, by the model ${expected.kind}.`);
  if (answer.kind === 'unfunded' && expected.kind === 'unfunded' && answer.available !== expected.available) {
    throw new Error(`${answer.available} wei were said to be available, by the model ${expected.available}.`);
  }
  if (answer.kind !== 'held' || expected.kind !== 'held') return;
  if (answer.holdId !== expected.hold.number) {
    throw new Error(`A request got hold ${answer.holdId}, by the model ${expected.hold.number}.`);
  }
  if (answer.terms !== expected.terms) {
    throw new Error(`A request got the terms ${answer.terms}, by the model ${expected.terms}.`);
  }
  if (answer.terms === undefined) checkEnd(simulation, view, request);
  const signed = simulation.terms.get(answer.terms ?? request.terms);
  if (signed === undefined) throw new Error('The terms are of no request.');
  simulation.landable.set(signed.hash, signed);
  const { amount, validUntil } = signed.request;
  simulation.signatures.add({ hold: expected.hold, amount, validUntil });
  at.signatures.record({
    paymasterId: request.policy.paymasterId,
    userOperationHash: signed.hash,
    holdId: answer.holdId,
    atRisk: false,
  });
}

/** A new signature is good for no longer than the operator allows, by our clock and by the chain's. */
function checkEnd(simulation: Simulation, { headTime }: ChainView, { validUntil }: HoldRequest): void {
  const earlier = Math.min(serviceTime(simulation), headTime);
  if (validUntil - earlier > validity.maxSeconds) throw new Error(`A signature ends at ${validUntil}, at ${earlier}.`);
}

/** A new request, one of before with new terms, or another for the nonce of one. */
function nextRequest(simulation: Simulation, view: ChainView): HoldRequest {
  const { random } = simulation;
  const { configured } = simulation.service.running();
  const sent = simulation.sent.filter(({ tank }) => configured.includes(contractAt(tank.contract)));
  const before = sent.length > 0 && random.chance(45) ? random.pick(sent) : undefined;
  const contract = contractAt(before?.tank.contract ?? random.pick(servedTenants(simulation)).contract.address);
  const gas = chooseGas(simulation, contract);
  const terms = { ...termsNow(simulation, view), amount: worstCase(gas) };
  const request = before === undefined ? freshRequest(simulation, contract, terms) : changed(simulation, before, terms);
  return remember(simulation, request, gas);
}

/** A request that is going to be sent, with what its terms would be signed as. */
export function remember(simulation: Simulation, request: HoldRequest, gas: OperationGas): HoldRequest {
  const { sent, terms } = simulation;
  terms.set(request.terms, { request, hash: freshHash(simulation), gas });
  sent.push(request);
  if (sent.length > maxRemembered) sent.shift();
  return request;
}

/** What no request of the simulation differs in. */
export const plainRequest = {
  decidedOn: { paymasterChanges: undefined, isCurrent: () => true },
  key: { keyNumber: 0, limits: new Map() },
  deploys: false,
  paysAuthorization: false,
  simulated: false,
  lastsLong: false,
  decisionRow: () => undefined,
} as const;

function freshRequest(simulation: Simulation, at: SimulatedContract, terms: TermsNow): HoldRequest {
  const { random } = simulation;
  const { paymasterId, contract, wallet } = random.pick(tenants.filter((tenant) => tenant.contract === at));
  const common = {
    ...terms,
    tank: { chainId, contract: contract.address, wallet },
    accountId,
    policy: { paymasterId, policyId: '' },
    ...plainRequest,
    payment: { userPercent: random.chance(80) ? 0 : 100, tokens: undefined },
    sender: random.pick(senders),
    nonce: BigInt(nextSerial(simulation)),
    requestKey: `request ${nextSerial(simulation)}`,
    chainDeposit: 0n,
    signer: signingKey,
  };
  const keptFor = contract.keepsBalances ? contract.address : undefined;
  return { ...common, walletBalance: keptFor && customerBalance(simulation, keptFor, wallet) };
}

function changed(simulation: Simulation, before: HoldRequest, terms: TermsNow): HoldRequest {
  const { random } = simulation;
  const { contract, wallet } = before.tank;
  const keptFor = before.walletBalance === undefined ? undefined : contract;
  const again = { ...before, ...terms, walletBalance: keptFor && customerBalance(simulation, keptFor, wallet) };
  if (random.chance(50)) return again;
  const payment = random.chance(50) ? sponsoredPayment : before.payment;
  const other = { ...again, payment, requestKey: `request ${nextSerial(simulation)}` };
  const neighbours = tenants.filter((tenant) => tenant.contract.address === contract && !tenant.contract.keepsBalances);
  if (neighbours.length === 0 || random.chance(50)) return other;
  const { paymasterId, wallet: otherWallet } = random.pick(neighbours);
  return { ...other, policy: { paymasterId, policyId: '' }, tank: { ...before.tank, wallet: otherWallet } };
}

/** What differs each time that a request is made. */
function termsNow(simulation: Simulation, view: ChainView) {
  const { random } = simulation;
  const { validUntil } = chooseWindow(random.between(30, 600), view, { clock: clockOf(simulation), validity });
  return {
    validUntil,
    terms: `terms ${nextSerial(simulation)}`,
    prices: {
      usdMicrosPerCoin: random.chance(85) ? simulation.usdMicrosPerCoin : undefined,
      seenUsdMicrosPerCoin: random.chance(85) ? simulation.usdMicrosPerCoin : undefined,
    },
  };
}

type TermsNow = ReturnType<typeof termsNow> & Pick<HoldRequest, 'amount'>;

function describe({ tank, policy, sender, nonce, amount, validUntil, requestKey, payment }: HoldRequest): string {
  const tenant = `tenant ${policy.paymasterId.slice(-1)} of ${tank.contract.slice(-2)}/${tank.wallet.slice(-2)}`;
  return `${tenant} ${modeOf(payment)} ${sender.slice(-2)}:${nonce} ${amount} wei until ${validUntil} (${requestKey})`;
}
