import { biconomyBalances } from '../../../core/evm/paymaster-contracts/biconomy/biconomy-balances.ts';
import { compareLedgerAndChain } from '../../../core/ledger/checking/compare-ledger-and-chain.ts';
import { isHealthy, type NodeFaults } from '../chain/simulated-node.ts';
import { expiredHolds } from '../model/follow-in-model.ts';
import { chainId, confirmations, contracts } from '../world/world.ts';
import { isForked } from './is-forked.ts';
import { recoverClock } from './move-time.ts';
import { type Simulation, tell } from './simulation-state.ts';
import { mineBlocks, reorganise, type Step, unlessDead } from './take-steps.ts';
import { recoverNodes } from './trouble-node.ts';

/** A look at the chain, which may move in the middle of it. */
export const lookAtMovingChain: Step = async (simulation) => {
  const { random, nodes } = simulation;
  recoverNodes(simulation);
  recoverClock(simulation);
  if (random.chance(15)) random.pick(nodes).faults.surprise = surpriseOf(simulation);
  await checkChain(simulation);
};

/** The service takes in what is confirmed, and what has expired with it. */
export const checkChain: Step = async (simulation) => {
  const { nodes, service, model } = simulation;
  const { crash, watcher, configured, clients } = service.running();
  const surprised = nodes.filter(({ faults }) => faults.surprise !== undefined);
  const holdsBefore = model.holds.length;
  const before = new Map(contracts.map(({ address }) => [address, model.posted.get(address)?.at(-1)]));
  const problem = await watcher.catchUp().then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  const undisturbed = surprised.every(({ faults }) => faults.surprise !== undefined);
  for (const { faults } of nodes) faults.surprise = undefined;
  const caughtUp = problem === undefined && !crash.isDead();
  tell(simulation, `a look at the chain, ${caughtUp ? 'caught up' : 'not caught up'}`);
  if (!caughtUp && !crash.isDead() && nodes.some(({ faults }) => isHealthy(faults))) {
    throw new Error('The chain could not be followed though one of its nodes is well.', problem);
  }
  if (!caughtUp) return;
  const confirmed = (clients.reportedHead()?.number ?? 0) - confirmations;
  for (const { address } of configured) {
    const last = model.posted.get(address)?.at(-1);
    if (undisturbed && confirmed >= model.startBlock && (last?.number ?? -1) < confirmed)
      throw new Error(`The ledger of ${address} lack a block.`);
    const expired = last === before.get(address) ? undefined : expiredHolds(model, address)[0];
    if (expired !== undefined && expired.number <= holdsBefore)
      throw new Error(`Hold ${expired.number} was not released though it has expired.`);
  }
};

function surpriseOf(simulation: Simulation): NonNullable<NodeFaults['surprise']> {
  const happen = simulation.random.pick([mineBlocks, reorganise]);
  // The steps above do all they do at once.
  return { after: simulation.random.below(25), happens: () => void happen(simulation) };
}

/** The operator's check finds no difference between ledger and chain. */
export const checkWithChain: Step = async (simulation) => {
  const { store, configured, clients } = simulation.service.running();
  for (const { address, entryPoint, keepsBalances } of configured) {
    const location = { chainId, address, entryPoint };
    const checked = { location, versions: [], ...(keepsBalances ? { customers: biconomyBalances } : {}) };
    const last = simulation.model.posted.get(address)?.at(-1);
    if (isForked(simulation)) continue;
    // A ledger that has not followed since then has blocks that are gone.
    if (last !== undefined && simulation.chain.blocks[last.number] !== last) continue;
    const report = await unlessDead(compareLedgerAndChain(store, clients.client, checked));
    if (report?.state !== 'compared') continue;
    if (report.difference !== 0n) throw new Error(`The ledger of ${address} differs by ${report.difference} wei.`);
    // What customers had before the first block that is read is no one's in the ledger.
    const faults = report.faults.filter(
      (fault) => simulation.model.startBlock === 0 || !fault.startsWith('balance of'),
    );
    if (faults.length > 0) throw new Error(`The ledger of ${address}: ${faults.join('; ')}`);
  }
  tell(simulation, 'a check of ledger and chain');
};
