import { resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';
import { findChainTests } from '../../test/support/run/find-chain-tests.ts';
import { takeFromTests } from '../take-from-tests.ts';

/** Folders and files that take longest: of random worlds, and of thousands of holds. */
const longest = ['/simulation/', '/ledger/counting-in-steps.'];

/** How much of a machine the tests of a file need, by what they run. */
function cost({ moduleId }: TestSpecification, chainTests: ReadonlySet<string>): number {
  if (longest.some((part) => moduleId.includes(part))) return 2;
  return chainTests.has(moduleId) ? 1 : 0;
}

/**
 * Runs files that need a chain after those that do not, and the longest last: a run ends with the first test that notices
 * the fault. Vitest takes the longest first.
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
 * Makes an error of a file of tests that cannot be loaded. Stryker looks at tests only: a fault by which none of them begins
 * would count as one that no one notices.
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

// Which tests: folders and files, by the variable that `npm run test:mutation` sets.
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

/** The tests of one mutated area, as one project: the whole of them starts for every mutant. */
export default defineConfig({
  root,
  plugins: [takeFromTests()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: patterns,
    exclude: ['**/node_modules/**', ...without],
    // A few worlds: they run for each fault that no other test has noticed.
    env: { SIMULATION_SEEDS: '2' },
    isolate: false,
    reporters: [reportBrokenFiles()],
    sequence: { sequencer: cheapestFirst(new Set(allOfChain.map((file) => resolve(root, file)))) },
    // A busy machine is not a fault that has been noticed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: chainTests.length === 0 ? [] : globalSetup,
  },
});
