import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSimulation } from './run-simulation.ts';

/** Worlds that run in one test. */
const atOnce = 20;
const timeout = 3_600_000;

/** Declares the tests of worlds of so many steps, from these seeds. */
export function simulateWorlds({ seeds, steps }: { readonly seeds: readonly number[]; readonly steps: number }): void {
  simulate(seeds, () => {
    const groups = Array.from({ length: Math.ceil(seeds.length / atOnce) }, (_, index) => ({
      group: seeds.slice(index * atOnce, (index + 1) * atOnce),
      first: seeds[index * atOnce],
    }));
    test.for(groups)(
      `in worlds of ${steps} steps from seed $first on`,
      { timeout },
      async ({ group }, { annotate }) => {
        const idle: number[] = [];
        for (const seed of group) {
          const { held } = await runSimulation({ seed, steps, wholeEvery: 20 });
          if (held === 0) idle.push(seed);
        }
        if (steps < 100 || idle.length === 0) return;
        // One of many is chance, and no reason to leave out those after it.
        await annotate(`Nothing was held in these worlds: ${idle.join(', ')}`);
        expect(idle.length, 'worlds in which nothing was held show nothing').toBeLessThan(
          Math.max(1, group.length / 4),
        );
      },
    );
  });
}

/** Declares a test for each of some long worlds. */
export function simulateLongWorlds({
  seeds,
  steps,
}: {
  readonly seeds: readonly number[];
  readonly steps: number;
}): void {
  simulate(seeds, () => {
    test.each(seeds)(
      `in a world of ${steps} steps from seed %d`,
      async (seed) => {
        const { crashes, settled } = await runSimulation({ seed, steps, wholeEvery: 100 });
        // A world in which next to nothing happens shows nothing.
        expect(crashes).toBeGreaterThan(steps / 60);
        expect(settled).toBeGreaterThan(steps / 60);
      },
      timeout,
    );
  });
}

function simulate(seeds: readonly number[], tests: () => void): void {
  describe('the ledger is what the model says after each step, whatever happens to the service', () => {
    // Nothing in a simulation happens at a time of its own: the service's timers wait for ever.
    beforeAll(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterAll(() => {
      vi.useRealTimers();
    });
    if (seeds.length === 0) test.skip('other worlds were asked for');
    tests();
  });
}
