import { createSeededRandom } from '../support/arbitrary/seeded-random.ts';
import { askDuringCheck, askForSignatures } from './steps/ask-for-signatures.ts';
import { compareAll, compareStep, restartAfterDeath } from './steps/compare-step.ts';
import { pickBeginning } from './steps/configured-contracts.ts';
import { checkChain, checkWithChain, lookAtMovingChain } from './steps/look-at-chain.ts';
import { letTimePass, setClock } from './steps/move-time.ts';
import { followTwice, restart, startSecondProcess } from './steps/second-process.ts';
import { fundsTransaction } from './steps/send-transactions.ts';
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
import { confirmations } from './world/world.ts';

/** Of a hundred steps and more, how many are which. */
const kinds: readonly (readonly [number, Step])[] = [
  [34, askForSignatures],
  [24, mineBlocks],
  [14, lookAtMovingChain],
  [5, askDuringCheck],
  [5, reorganise],
  [2, reorganiseDeeply],
  [3, letTimePass],
  [4, setClock],
  [5, adjust],
  [5, setLimits],
  [3, setBudgets],
  [2, flushSignatures],
  [3, troubleNode],
  [1, sweep],
  [1, checkWithChain],
  [2, restart],
  [1, startSecondProcess],
  [1, followTwice],
];
const lots = kinds.flatMap(([count, step]) => Array.from({ length: count }, () => step));

/** Steps in which the service does nothing, and the model neither: there is nothing to compare after them. */
const outside: ReadonlySet<Step> = new Set([
  mineBlocks,
  reorganise,
  reorganiseDeeply,
  letTimePass,
  setClock,
  troubleNode,
]);

/** Of a hundred steps, so many are struck by a crash if they come as far as that. */
const crashesPercent = 13;
/** Points that a crash may be away. */
const furthestCrash = 35;

/**
 * Runs a world from a seed and holds the ledger against the model after each step; every so many steps all of them, from
 * the first entry on.
 *
 * @throws Error that tells the seed, the step, what came before it and how to run it again.
 */
export async function runSimulation(run: {
  readonly seed: number;
  readonly steps: number;
  readonly wholeEvery: number;
}): Promise<{ readonly crashes: number; readonly held: number; readonly settled: number }> {
  const simulation = await startSimulation(run.seed, pickBeginning(createSeededRandom(run.seed + 1_000_000)));
  let crashes = 0;
  let step = 0;
  try {
    await fundTanks(simulation);
    for (; step < run.steps; step += 1) {
      crashes += await takeStep(simulation);
      if (step % run.wholeEvery === 0) await compareAll(simulation);
    }
    await compareAll(simulation);
  } catch (cause) {
    throw failure(simulation, { ...run, step }, cause);
  } finally {
    await simulation.service.close();
  }
  const { holds } = simulation.model;
  return { crashes, held: holds.length, settled: holds.filter(({ state }) => state === 'settled').length };
}

/** Most tanks begin with something in them. */
export async function fundTanks(simulation: Simulation): Promise<void> {
  const { chain } = simulation;
  for (let left = 12; left > 0; left -= 1) chain.send(fundsTransaction(simulation));
  for (let left = 2 + confirmations; left > 0; left -= 1) chain.mine(simulation.now);
  await checkChain(simulation);
  compareStep(simulation);
}

/** Takes one step of those, of any kind where none are given, and compares. Answers how often the process died of it. */
export async function takeStep(simulation: Simulation, from: readonly Step[] = lots): Promise<number> {
  const { random, service } = simulation;
  const { crash } = service.running();
  const step = random.pick(from);
  if (random.chance(crashesPercent) && !outside.has(step)) crash.arm(random.below(furthestCrash));
  await step(simulation);
  let crashes = 0;
  while (service.running().crash.isDead()) {
    crashes += 1;
    await restartAfterDeath(simulation, () => {
      if (random.chance(crashesPercent)) service.running().crash.arm(random.below(furthestCrash));
    });
  }
  service.running().crash.disarm();
  if (!outside.has(step)) compareStep(simulation);
  return crashes;
}

function failure(
  { trace }: Simulation,
  { seed, steps, step }: { readonly seed: number; readonly steps: number; readonly step: number },
  cause: unknown,
): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  const again = `SIMULATION_SEED=${seed} SIMULATION_STEPS=${steps} npx vitest run test/simulation/simulation.test.ts`;
  return new Error(`Seed ${seed}, step ${step}: ${why}\nRun it again: ${again}\nBefore it:\n  ${trace.join('\n  ')}`, {
    cause,
  });
}
