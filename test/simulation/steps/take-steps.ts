import { countDecisions } from '../../../core/decisions/count-decisions.ts';
import { pruneAccounts, pruneEndedLimits } from '../../../core/decisions/pruning/prune-counts.ts';
import type { LimitWindow, PolicyLimit } from '../../../core/domain/policy.ts';
import { defaultPolicy } from '../../../core/domain/policy.ts';
import { adjustTank } from '../../../core/ledger/tanks/adjust-tank.ts';
import { policyText } from '../../../core/policies/policy-text.ts';
import { adjustInModel, limitInModel, worthOf } from '../model/ledger-model.ts';
import { ProcessDied } from '../service/crashing-store.ts';
import { accountId, chainId, confirmations, type Tenant, tankName, tenants } from '../world/world.ts';
import { servedTenants } from './configured-contracts.ts';
import { sendTransactions } from './send-transactions.ts';
import { amountOf, type Simulation, serviceTime, tell } from './simulation-state.ts';

/** One thing that happens to the service or around it. */
export type Step = (simulation: Simulation) => Promise<void>;

export const mineBlocks: Step = async (simulation) => {
  const { random, chain } = simulation;
  const blocks = random.between(1, 3);
  for (let left = blocks; left > 0; left -= 1) {
    sendTransactions(simulation);
    simulation.now += random.between(0, 6);
    chain.mine(simulation.now + random.between(-5, 5));
  }
  tell(simulation, `${blocks} blocks up to ${chain.head().number} at ${simulation.now}`);
};

export const reorganise: Step = async (simulation) => {
  const { random, chain } = simulation;
  const before = chain.head().number;
  chain.drop(random.between(1, confirmations));
  const kept = chain.head().number;
  for (let left = before - kept + random.between(-1, 1); left > 0; left -= 1) chain.mine(simulation.now);
  tell(simulation, `blocks ${kept + 1} to ${before} replaced by those up to ${chain.head().number}`);
};

/** Takes away more blocks than are waited for. */
export const reorganiseDeeply: Step = async (simulation) => {
  const { random, chain } = simulation;
  const before = chain.head().number;
  chain.drop(random.between(confirmations + 1, confirmations + 9));
  const kept = chain.head().number;
  for (let left = before - kept + random.between(0, 4); left > 0; left -= 1) chain.mine(simulation.now);
  tell(simulation, `deep: blocks ${kept + 1} to ${before} replaced by those up to ${chain.head().number}`);
};

export const adjust: Step = (simulation) => {
  const { random } = simulation;
  const kind = random.pick(['credit', 'debit'] as const);
  return adjustBy(simulation, random.pick(servedTenants(simulation)), { kind, amount: amountOf(simulation, 1, 60) });
};

/** The operator credits or debits a tenant's tank. */
export async function adjustBy(
  simulation: Simulation,
  { contract, wallet }: Tenant,
  { kind, amount }: { readonly kind: 'credit' | 'debit'; readonly amount: bigint },
): Promise<void> {
  const { crash, store } = simulation.service.running();
  const tank = { chainId, contract: contract.address, wallet };
  const reason = 'a step of the simulation';
  // What else the process was writing is done when it is this one's turn.
  let commitsBefore = Number.POSITIVE_INFINITY;
  const answer = await unlessDead(
    store.transaction((transaction) => {
      commitsBefore = crash.commits();
      return adjustTank(transaction, { tank, kind, amount, reason }, serviceTime(simulation));
    }),
  );
  const committed = crash.commits() > commitsBefore;
  tell(
    simulation,
    `${kind} of ${amount} on ${contract.address.slice(-2)}/${wallet.slice(-2)}, committed: ${committed}`,
  );
  if (!committed) return;
  const name = tankName(contract.address, wallet);
  const done = adjustInModel(simulation.model, name, kind === 'credit' ? amount : -amount);
  if (answer !== undefined && answer !== done) throw new Error(`An adjustment was ${answer}, by the model ${done}.`);
}

const windows: readonly LimitWindow[] = ['hour', 'day', 'week', 'month', 'ever'];

export const setLimits: Step = (simulation) => {
  const { random } = simulation;
  const limits = new Map<string, PolicyLimit>();
  for (let left = random.below(4); left > 0; left -= 1) {
    const limit = randomLimit(simulation);
    limits.set(`${limit.per} ${limit.window} ${limit.unit}`, limit);
  }
  return setLimitsOf(simulation, random.pick(tenants), [...limits.values()]);
};

function randomLimit({ random, unit: smallest, usdMicrosPerCoin }: Simulation): PolicyLimit {
  const unit = random.pick(['operations', 'wei', 'usdMicros'] as const);
  const operations = BigInt(random.between(1, 25));
  const wei = operations * smallest * 12n;
  const max = { operations, wei, usdMicros: worthOf(wei, usdMicrosPerCoin) }[unit];
  return { per: random.pick(['sender', 'total'] as const), window: random.pick(windows), unit, max };
}

/** A tenant gives its policy these limits and no others. */
export async function setLimitsOf(
  simulation: Simulation,
  { paymasterId }: Tenant,
  limits: readonly PolicyLimit[],
): Promise<void> {
  const { observed, policies } = simulation.service.running();
  const policy = { ...defaultPolicy, limits };
  const answer = await unlessDead(policies.setPolicy({ accountId, paymasterId, policy }));
  if (answer?.ok === false) throw new Error(`A policy was refused: ${answer.refusal.message}`);
  const committed = observed.policies().get(paymasterId) === policyText(policy);
  const names = limits.map(({ per, window, unit, max }) => `${max} ${unit} ${per} ${window}`).join(', ');
  tell(simulation, `tenant ${paymasterId.slice(-1)} limits ${names}, committed: ${committed}`);
  if (committed) limitInModel(simulation.model, paymasterId, limits);
}

/** The service's own default, in seconds. */
const maxClockDifference = 300;

export const sweep: Step = async (simulation) => {
  const { store } = simulation.service.running();
  tell(simulation, 'a sweep of counts');
  // By age nothing is pruned by a clock that the chain does not agree with.
  if (Math.abs(simulation.skew) <= maxClockDifference) {
    await unlessDead(pruneAccounts(store, serviceTime(simulation)));
  }
  await unlessDead(pruneEndedLimits(store));
  await unlessDead(countDecisions(store));
};

export const flushSignatures: Step = async (simulation) => {
  tell(simulation, 'signature records are written');
  await simulation.service.running().signatures.flush();
};

/** What a step began that the process did not live to answer. */
export async function unlessDead<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ProcessDied) return undefined;
    throw cause;
  }
}
