import { changeContracts } from './configured-contracts.ts';
import { checkChain } from './look-at-chain.ts';
import { type Simulation, tell } from './simulation-state.ts';
import type { Step } from './take-steps.ts';

/** Someone starts another process on the same database, which does not let it in. */
export const startSecondProcess: Step = async (simulation) => {
  tell(simulation, 'a second process tries to start');
  if (!(await simulation.service.refusesSecondProcess())) throw new Error('A second process was let in.');
};

/** Another process takes over, perhaps in the middle of a look, and perhaps with other contracts. */
export const restart: Step = async (simulation) => {
  const { service, random, nodes } = simulation;
  const { watcher, crash } = service.running();
  if (random.chance(50)) crash.disarm();
  const configured = random.chance(60) ? changeContracts(simulation) : service.running().configured;
  const look = random.chance(50) ? lookSlowly(simulation) : undefined;
  for (let left = random.below(30); look !== undefined && left > 0; left -= 1) await nextTurn();
  await service.restart(configured);
  await look;
  for (const { faults } of nodes) faults.slow = false;
  if (crash.isDead()) return;
  if (service.running().watcher === watcher) throw new Error('No process has taken over.');
  const names = configured.map(({ address }) => address.slice(-2)).join(', ');
  tell(simulation, `the service was stopped and started with the contracts ${names}`);
  await checkChain(simulation);
};

/** Two processes follow the same ledger at once, as when the lock is of no use: a disk that two machines share. */
export const followTwice: Step = async (simulation) => {
  const { watcher, startSecondWatcher } = simulation.service.running();
  const other = startSecondWatcher();
  tell(simulation, 'two follow the same ledger');
  for (const { faults } of simulation.nodes) faults.slow = true;
  await Promise.allSettled([watcher.catchUp(), other.catchUp()]);
  await other.close();
  for (const { faults } of simulation.nodes) faults.slow = false;
  if (!simulation.service.running().crash.isDead()) await checkChain(simulation);
};

async function lookSlowly({ service, nodes }: Simulation): Promise<void> {
  for (const { faults } of nodes) faults.slow = true;
  await service
    .running()
    .watcher.catchUp()
    .catch(() => undefined);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
