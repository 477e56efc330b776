import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { openStore } from '../../core/store/open-store.ts';
import { createSeededRandom } from '../support/arbitrary/seeded-random.ts';
import { insertPaymaster } from '../support/core/ledger-lab.ts';
import { removeTestDatabase, testDatabase } from '../support/store/test-database.ts';
import { fundTanks, takeStep } from './run-simulation.ts';
import { type CoreCluster, startCoreCluster } from './service/core-cluster.ts';
import { askForSignatures } from './steps/ask-for-signatures.ts';
import { clusterSteps, lookEverywhere } from './steps/cluster-steps.ts';
import { compareAll, compareStep, restartAfterDeath } from './steps/compare-step.ts';
import { checkWithChain } from './steps/look-at-chain.ts';
import { letTimePass, setClock } from './steps/move-time.ts';
import { setBudgets } from './steps/set-budgets.ts';
import type { Simulation } from './steps/simulation-state.ts';
import { startSimulation } from './steps/start-simulation.ts';
import {
  adjust,
  flushSignatures,
  mineBlocks,
  reorganise,
  reorganiseDeeply,
  type Step,
  setLimits,
  sweep,
} from './steps/take-steps.ts';
import { troubleNode } from './steps/trouble-node.ts';
import { accountId, tenants } from './world/world.ts';

/** How often each core looks, in steps. */
const lookEvery = 7;

/**
 * Runs a world of two or three cores at a database of a PostgreSQL server, with a crash now and then, and holds the ledger
 * against the model after each step. What comes from the seed is the world; when a question is answered is the server's affair,
 * so that the same seed need not be the same to the last step.
 */
export async function runCluster({ seed, steps }: { readonly seed: number; readonly steps: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-cluster-'));
  const random = createSeededRandom(seed + 2_000_000);
  let cluster: CoreCluster | undefined;
  try {
    emptyLedger ??= createEmptyLedger();
    const database = await testDatabase(folder, await emptyLedger);
    if (database.kind !== 'postgres') throw new Error('Several cores need a server.');
    const simulation = await startSimulation(seed, undefined, async (parts) => {
      cluster = await startCoreCluster({ ...parts, url: database.url, random, size: random.between(2, 3) });
      return cluster;
    });
    if (cluster === undefined) throw new Error('There are no cores.');
    return await runSteps({ cluster, simulation, seed, steps });
  } finally {
    await cluster?.close();
    await removeTestDatabase(folder);
    rmSync(folder, { recursive: true });
  }
}

async function runSteps(run: {
  readonly cluster: CoreCluster;
  readonly simulation: Simulation;
  readonly seed: number;
  readonly steps: number;
}) {
  const { cluster, simulation, seed, steps } = run;
  const lots = lotsOf(cluster);
  let crashes = 0;
  let step = 0;
  try {
    await fundTanks(simulation);
    for (; step < steps; step += 1) {
      if (step % lookEvery === 0) await lookEverywhere(cluster, simulation);
      cluster.turnTo(simulation.random.pick(cluster.cores()));
      crashes += await takeStep(simulation, lots);
      crashes += await replaceTheDead(cluster, simulation);
      if (step % 20 === 0) await compareAll(simulation);
    }
    await compareAll(simulation);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const again = `SIMULATION_SEED=${seed} SIMULATION_STEPS=${steps} npm run test:postgres -- test/simulation/cluster-worlds.test.ts`;
    throw new Error(
      `Seed ${seed}, step ${step}: ${why}\nRun it again: ${again}\nBefore it:\n  ${simulation.trace.join('\n  ')}`,
      { cause },
    );
  }
  const { holds } = simulation.model;
  return { crashes, held: holds.length, settled: holds.filter(({ state }) => state === 'settled').length };
}

/** The core whose turn it was may have died after another one took the turn. */
async function replaceTheDead(cluster: CoreCluster, simulation: Simulation): Promise<number> {
  for (const { crash } of cluster.cores()) crash.disarm();
  const dead = cluster.cores().filter(({ crash }) => crash.isDead());
  for (const core of dead) {
    cluster.turnTo(core);
    await restartAfterDeath(simulation, () => undefined);
    compareStep(simulation);
  }
  return dead.length;
}

/** Of a hundred steps, how many are which. */
function lotsOf(cluster: CoreCluster): readonly Step[] {
  const { askAtSeveral, handOver, replaceCore, inspectLeader } = clusterSteps(cluster);
  const kinds: readonly (readonly [number, Step])[] = [
    [14, askForSignatures],
    [22, askAtSeveral],
    [20, mineBlocks],
    [13, inspectLeader],
    [6, handOver],
    [2, replaceCore],
    [4, reorganise],
    [2, reorganiseDeeply],
    [2, letTimePass],
    [2, setClock],
    [4, adjust],
    [4, setLimits],
    [3, setBudgets],
    [2, flushSignatures],
    [2, troubleNode],
    [1, sweep],
    [1, checkWithChain],
  ];
  return kinds.flatMap(([count, step]) => Array.from({ length: count }, () => step));
}

/** Made once: every world starts from a copy of it. */
let emptyLedger: Promise<DatabaseAddress> | undefined;

/** A database with the schema and the simulated tenants. */
async function createEmptyLedger(): Promise<DatabaseAddress> {
  const database = await testDatabase(join(tmpdir(), `tollfree-cluster-${process.pid}`));
  const store = await openStore(database);
  for (const { paymasterId } of tenants) await insertPaymaster(store, { paymasterId, accountId });
  await store.close();
  return database;
}
