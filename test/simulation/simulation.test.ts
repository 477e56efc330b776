import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSimulation } from './run-simulation.ts';
import { readSimulationSize } from './simulation-size.ts';

/** Worlds that run in one test. */
const atOnce = 20;

const { seeds, steps, longSeeds, longSteps } = readSimulationSize(process.env);
const timeout = 3_600_000;

// Nothing in a simulation happens at a time of its own: the service's timers wait for ever.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('the books are what the model says after each step, whatever happens to the service', () => {
  const groups = Array.from({ length: Math.ceil(seeds.length / atOnce) }, (_, index) => ({
    group: seeds.slice(index * atOnce, (index + 1) * atOnce),
    first: seeds[index * atOnce],
  }));

  test.each(groups)(
    `in worlds of ${steps} steps from seed $first on`,
    async ({ group }) => {
      for (const seed of group) {
        const { held } = await runSimulation({ seed, steps, wholeEvery: 20 });
        if (steps >= 100) expect(held, 'a world in which nothing was held shows nothing').toBeGreaterThan(0);
      }
    },
    timeout,
  );

  test.each(longSeeds)(
    `in a world of ${longSteps} steps from seed %d`,
    async (seed) => {
      const { crashes, settled } = await runSimulation({ seed, steps: longSteps, wholeEvery: 100 });
      expect(crashes).toBeGreaterThan(50);
      expect(settled).toBeGreaterThan(50);
    },
    timeout,
  );
});
