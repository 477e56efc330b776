import type { PolicyLimit } from '../../core/domain/policy.ts';
import { sponsoredPayment } from '../../core/ledger/holds/hold-request.ts';
import { worthOf } from './model/ledger-model.ts';
import { askFor, plainRequest, remember } from './steps/ask-for-signatures.ts';
import { gasFor } from './steps/choose-gas.ts';
import { compareAll, compareStep, restartAfterDeath } from './steps/compare-step.ts';
import { checkChain } from './steps/look-at-chain.ts';
import { bundleOf, depositOf, operationOf } from './steps/send-transactions.ts';
import { nextSerial, type Simulation } from './steps/simulation-state.ts';
import { startSimulation } from './steps/start-simulation.ts';
import { adjustBy, flushSignatures, setLimitsOf, sweep } from './steps/take-steps.ts';
import { accountId, chainId, confirmations, senders, signingKey, type Tenant, tenants } from './world/world.ts';

/** A request of the scenario; the same key and nonce wherever it is made again. */
type Asked = { readonly tenant: Tenant; readonly nonce: bigint; readonly amount: bigint; readonly key: string };

const [first, second, neighbour] = pickTenants();
const early = { tenant: first, nonce: 1n, amount: 20n, key: 'early' };
const raised = { tenant: first, nonce: 1n, amount: 30n, key: 'raised' };
const sameNonce = { tenant: neighbour, nonce: 1n, amount: 25n, key: 'same nonce' };
const other = { tenant: second, nonce: 2n, amount: 15n, key: 'other' };
const late = { tenant: first, nonce: 3n, amount: 10n, key: 'late' };

/** Each is taken again when the process died of it. */
const scenario: readonly ((simulation: Simulation) => Promise<void>)[] = [
  (simulation) => confirm(simulation, [first, second], depositOf),
  checkChain,
  (simulation) => setLimitsOf(simulation, first, limitsIn(simulation)),
  (simulation) => ask(simulation, [early, other]),
  (simulation) => ask(simulation, [early]),
  (simulation) => ask(simulation, [raised, sameNonce]),
  flushSignatures,
  (simulation) => adjustBy(simulation, first, { kind: 'credit', amount: 40n }),
  (simulation) => ask(simulation, [late]),
  (simulation) => confirm(simulation, [first], landing),
  checkChain,
  (simulation) => adjustBy(simulation, second, { kind: 'debit', amount: 5n }),
  (simulation) => setLimitsOf(simulation, first, limitsIn(simulation).slice(1)),
  (simulation) => ask(simulation, [{ ...late, nonce: 4n, key: 'latest' }]),
  expire,
  checkChain,
  sweep,
  (simulation) => ask(simulation, [{ ...other, key: 'at last' }]),
];

function limitsIn({ unit, usdMicrosPerCoin }: Simulation): readonly PolicyLimit[] {
  return [
    { per: 'total', window: 'day', unit: 'operations', max: 3n },
    { per: 'sender', window: 'week', unit: 'wei', max: 500n * unit },
    { per: 'total', window: 'ever', unit: 'usdMicros', max: worthOf(500n * unit, usdMicrosPerCoin) },
  ];
}

/** The points that the scenario has, in words. */
export async function listCrashPoints(): Promise<readonly string[]> {
  const simulation = await startSimulation(1);
  for (const step of scenario) await step(simulation);
  const points = simulation.service.running().crash.reached();
  await simulation.service.close();
  return points;
}

/**
 * Runs the scenario in a world of its own with a crash at the point that comes after so many others, and compares after
 * each step. Answers where the process died; nowhere when the scenario has no such point.
 */
export async function runScenario(points: number): Promise<string | undefined> {
  const simulation = await startSimulation(1);
  const { service } = simulation;
  let diedAt: string | undefined;
  try {
    service.running().crash.arm(points);
    for (const step of scenario) {
      await step(simulation);
      compareStep(simulation);
      if (!service.running().crash.isDead()) continue;
      diedAt = service.running().crash.diedAt();
      await restartAfterDeath(simulation, () => undefined);
      await step(simulation);
      compareStep(simulation);
    }
    service.running().crash.disarm();
    await compareAll(simulation);
    return diedAt;
  } catch (cause) {
    throw new Error(`The process died ${diedAt ?? 'nowhere yet'} (point ${points})\n${simulation.trace.join('\n')}`, {
      cause,
    });
  } finally {
    await service.close();
  }
}

async function ask(simulation: Simulation, asked: readonly Asked[]): Promise<void> {
  const { unit, now } = simulation;
  const requests = asked.map(({ tenant: { paymasterId, contract, wallet }, nonce, amount, key }) =>
    remember(
      simulation,
      {
        ...plainRequest,
        tank: { chainId, contract: contract.address, wallet },
        accountId,
        policy: { paymasterId, policyId: '' },
        payment: sponsoredPayment,
        sender: senders[0] ?? wallet,
        nonce,
        amount: amount * unit,
        validUntil: now + 300,
        prices: {
          usdMicrosPerCoin: simulation.usdMicrosPerCoin,
          seenUsdMicrosPerCoin: simulation.usdMicrosPerCoin,
        },
        requestKey: key,
        terms: `terms ${nextSerial(simulation)}`,
        chainDeposit: 0n,
        walletBalance: undefined,
        signer: signingKey,
      },
      gasFor(contract, amount * unit),
    ),
  );
  await askFor(simulation, requests);
}

/** Something on chain for these tenants, with all its confirmations. */
async function confirm(simulation: Simulation, of: readonly Tenant[], make: typeof depositOf): Promise<void> {
  const { chain, unit } = simulation;
  for (const { contract, wallet } of of) chain.send(make(simulation, contract, wallet, 200n * unit));
  // A block does not take all that waits.
  for (let left = 4 + confirmations; left > 0; left -= 1) chain.mine(simulation.now);
}

/** A bundle with one of the operations that wait, and one that others have signed. */
function landing(simulation: Simulation, contract: Tenant['contract']): ReturnType<typeof bundleOf> {
  const waiting = [...simulation.landable.values()].filter(({ request }) => request.tank.contract === contract.address);
  const [signed] = waiting;
  if (signed === undefined) throw new Error('No operation was signed.');
  return bundleOf(simulation, contract, [operationOf(simulation, signed)]);
}

/** Time passes, on chain too, until nothing that was signed can land. */
async function expire(simulation: Simulation): Promise<void> {
  simulation.now += 1_000;
  for (let left = 1 + confirmations; left > 0; left -= 1) simulation.chain.mine(simulation.now);
}

function pickTenants(): readonly [Tenant, Tenant, Tenant] {
  const [one, two, three] = tenants;
  if (one === undefined || two === undefined || three === undefined) throw new Error('The world has too few tenants.');
  return [one, two, three];
}
