import { resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';
import { findChainTests } from '../../test/support/run/find-chain-tests.ts';
import { takeFromTests } from '../take-from-tests.ts';

/** The slowest folders and files: random worlds, and thousands of holds. */
const longest = ['/simulation/', '/ledger/counting-in-steps.'];

/** The relative cost of a test file, by what it starts. */
function cost({ moduleId }: TestSpecification, chainTests: ReadonlySet<string>): number {
  if (longest.some((part) => moduleId.includes(part))) return 2;
  return chainTests.has(moduleId) ? 1 : 0;
}

/**
 *
 *
 * Runs files without a chain before those with one, and the slowest last: a run ends with the first test that detects the
 * mutant. Vitest runs the slowest first.
 */
function cheapestFirst(chainTests: ReadonlySet<string>) {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return files.toSorted(
        (one, other) => cost(one, chainTests) - cost(other, chainTests) || one.moduleId.localeCompare(other.moduleId),
      );
    }
  };
}

/**
 *
 *
 * Reports a test file that cannot be loaded as an error. Stryker only counts tests, so a mutant that prevents loading would
 * count as undetected.
 */
function reportBrokenFiles(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestModuleEnd: (module) => {
      for (const error of module.errors()) vitest?.state.catchError(error, 'Unhandled Error');
    },
  };
}

const root = resolve(import.meta.dirname, '../..');

// The folders and files of tests, from the variable that `npm run test:mutation` sets.
const wanted = (process.env.MUTATION_TESTS ?? 'test').split(',');
const without = (process.env.MUTATION_WITHOUT ?? '').split(',');
const patterns = wanted.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
const allOfChain = findChainTests(root);
const chainTests = allOfChain
  .filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)))
  .filter((file) => !without.includes(file));
// As in the configuration of all tests.
const conditions = ['@tollfree/source', ...defaultServerConditions.filter((name) => name !== 'module')];
const globalSetup = [
  'test/support/run/build-program.ts',
  'test/support/run/start-chains.ts',
  'tools/collect-landings.ts',
];

/** The tests of one mutated area as one project, since the whole project starts for every mutant. */
export default defineConfig({
  root,
  plugins: [takeFromTests()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: patterns,
    exclude: ['**/node_modules/**', ...without],
    // Few random worlds: they run for each mutant that no other test has detected.
    env: { SIMULATION_SEEDS: '2' },
    isolate: false,
    reporters: [reportBrokenFiles()],
    sequence: { sequencer: cheapestFirst(new Set(allOfChain.map((file) => resolve(root, file)))) },
    // A timeout on a busy machine must not count as detection.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: chainTests.length === 0 ? [] : globalSetup,
  },
});
