import { isHealthy } from '../chain/simulated-node.ts';
import type { CoreCluster } from '../service/core-cluster.ts';
import { askAt } from './ask-for-signatures.ts';
import { compareStep } from './compare-step.ts';
import { checkChain } from './look-at-chain.ts';
import { type Simulation, tell } from './simulation-state.ts';
import type { Step } from './take-steps.ts';

/** What happens to several processes at one database, and among them. */
export function clusterSteps(cluster: CoreCluster) {
  /** Clients ask several cores at once, in the middle of a look of the one that leads. */
  const askAtSeveral: Step = async (simulation) => {
    const { random, nodes } = simulation;
    for (const { faults } of nodes) faults.slow = true;
    const looking = random.chance(50) ? cluster.leader().watcher.catchUp() : Promise.resolve();
    const asked = random.shuffle(cluster.cores()).slice(0, random.between(2, cluster.cores().length));
    tell(simulation, `requests at ${asked.map(({ name }) => name).join(' and ')}`);
    await Promise.all([looking.catch(() => undefined), ...asked.map((core) => askAt(simulation, core))]);
    for (const { faults } of nodes) faults.slow = false;
  };

  /** Another core leads, and the one before may not know: what it writes as the one that leads is rolled back. */
  const handOver: Step = async (simulation) => {
    const { random, nodes } = simulation;
    const before = cluster.leader();
    const next = random.pick(cluster.cores().filter((core) => core !== before));
    const reported = random.chance(50);
    tell(simulation, `${next.name} leads instead of ${before.name}, which ${reported ? 'knows' : 'does not know'}`);
    for (const { faults } of nodes) faults.slow = true;
    const look = random.chance(50) ? before.watcher.catchUp() : Promise.resolve();
    const looking = look.catch(() => undefined);
    await turnsOf(random.below(30));
    await cluster.handOver(next, reported);
    await Promise.allSettled([looking, before.watcher.catchUp(), next.watcher.catchUp()]);
    for (const { faults } of nodes) faults.slow = false;
    cluster.turnTo(next);
    if (!next.crash.isDead()) await checkChain(simulation);
  };

  /** A core is stopped in order, and another one started in its place. */
  const replaceCore: Step = async (simulation) => {
    const core = simulation.random.pick(cluster.cores());
    core.crash.disarm();
    tell(simulation, `${core.name} is stopped, and another one started`);
    await cluster.replace(core);
    await inspectLeader(simulation);
  };

  /** The core that leads looks; the others have no part in it. */
  const inspectLeader: Step = async (simulation) => {
    cluster.turnTo(cluster.leader());
    await checkChain(simulation);
  };

  return { askAtSeveral, handOver, replaceCore, inspectLeader };
}

/**
 * Each core looks, so that it knows what it signs on; those that do not lead have the one that does look too. Where a node is
 * not well they would wait for it by the clock of the machine.
 */
export async function lookEverywhere(cluster: CoreCluster, simulation: Simulation): Promise<void> {
  cluster.turnTo(cluster.leader());
  await checkChain(simulation);
  compareStep(simulation);
  if (!simulation.nodes.every(({ faults }) => isHealthy(faults))) return;
  for (const core of cluster.cores()) {
    await core.watcher.catchUp();
    compareStep(simulation);
  }
}

async function turnsOf(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}
