import { createSeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { createNodeClients } from '../chain/node-clients.ts';
import { createSimulatedChain } from '../chain/simulated-chain.ts';
import { createSimulatedNode } from '../chain/simulated-node.ts';
import { followInModel } from '../model/follow-in-model.ts';
import { createLedgerModel, holdInModel } from '../model/ledger-model.ts';
import { startSimulatedService } from '../service/simulated-service.ts';
import type { Committed } from '../service/start-process.ts';
import { confirmations, contracts, type SimulatedContract } from '../world/world.ts';
import { isForked } from './is-forked.ts';
import { type Simulation, serviceTime } from './simulation-state.ts';

/** Sunday, 29 November 2026, 22:00:00 UTC: near the end of a day, a week and a month. */
const startTime = Date.UTC(2026, 10, 29, 22) / 1_000;

/** The first block that is read, and the paymaster contracts that the service is configured with at first. */
export type Beginning = { readonly startBlock: number; readonly configured: readonly SimulatedContract[] };

/** Everything is read, of all contracts. */
const wholeBeginning: Beginning = { startBlock: 0, configured: contracts };

/** Begins the world of a seed, whose service is one process at a file where no other one is given. */
export async function startSimulation(
  seed: number,
  beginning: Beginning = wholeBeginning,
  startService: typeof startSimulatedService = startSimulatedService,
): Promise<Simulation> {
  const random = createSeededRandom(seed);
  const scale = random.pick(scales);
  const chain = createSimulatedChain(random, startTime, scale.gasPrice);
  const time = { now: startTime, skew: 0 };
  const clock = { now: () => (time.now + time.skew) * 1_000 };
  const nodes = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, index) =>
    createSimulatedNode(chain, createSeededRandom(seed + 1 + index)),
  );
  let simulation: Simulation | undefined;
  const service = await startService({
    connect: () => createNodeClients(nodes, clock),
    clock,
    ...beginning,
    onCommit: (committed) => {
      if (simulation !== undefined) noteCommit(simulation, committed);
    },
  });
  simulation = {
    random,
    chain,
    nodes,
    service,
    model: createLedgerModel(beginning.startBlock),
    asked: new Map(),
    problems: [],
    readSoFar: { entries: 0, sums: new Map() },
    journal: [],
    ...scale,
    maxDeposit: random.pick([60, 250]),
    signatures: new Set(),
    terms: new Map(),
    landable: new Map(),
    sent: [],
    get now() {
      return time.now;
    },
    set now(moment) {
      time.now = moment;
    },
    get skew() {
      return time.skew;
    },
    set skew(seconds) {
      time.skew = seconds;
    },
    serial: 0,
    trace: [],
  };
  return simulation;
}

/** Amounts from single wei to beyond 64 bits. */
const scales = [
  { unit: 1n, maxGas: 1, gasPrice: 1n, usdMicrosPerCoin: 3n * 10n ** 18n },
  { unit: 10n ** 18n, maxGas: 50_000, gasPrice: 20n * 10n ** 12n, usdMicrosPerCoin: 2_000_000_000n },
] as const;

/** Has the model take in what the service has just committed: holds that were asked for, else what it read of the chain. */
function noteCommit(simulation: Simulation, { by, observed, isBatch }: Committed): void {
  const { model, chain, journal, usdMicrosPerCoin, problems } = simulation;
  try {
    if (isBatch) {
      const asked = simulation.asked.get(by);
      if (asked === undefined) throw new Error('Requests were committed that were never made.');
      const now = serviceTime(simulation);
      const budgets = observed.budgets();
      asked.expected = asked.requests.map((request) => holdInModel(model, request, now, { usdMicrosPerCoin, budgets }));
    } else {
      const bounds = { maxConfirmed: chain.highest() - confirmations, isForked: isForked(simulation) };
      journal.push(...followInModel(model, { chain, observed }, bounds));
    }
  } catch (cause) {
    problems.push(cause);
  }
}
