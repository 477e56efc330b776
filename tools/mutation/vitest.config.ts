import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';
import { findChainTests } from '../../test/support/run/find-chain-tests.ts';
import { packageResolution } from '../package-resolution.ts';

/** The longest that each test file has taken, in ms: Stryker's first run has all of them. */
const durations = new Map<string, number>();

/** Runs the fastest files first: a run ends with the first test that detects the mutant. Vitest runs the slowest first. */
class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const duration = ({ moduleId }: TestSpecification) => durations.get(moduleId) ?? 0;
    return files.toSorted(
      (one, other) => duration(one) - duration(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}

/**
 * Notes how long a test file took, and reports one that cannot be loaded as an error. Stryker only counts tests, so a mutant
 * that prevents loading would count as undetected.
 */
function reportFiles(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestModuleEnd: (module) => {
      durations.set(module.moduleId, Math.max(durations.get(module.moduleId) ?? 0, module.diagnostic().duration));
      for (const error of module.errors()) vitest?.state.catchError(error, 'Unhandled Error');
    },
  };
}

const root = resolve(import.meta.dirname, '../..');

/**
 * Compiles statements for each use. The product keeps them, so only the first test of a process would count as reaching a
 * statement, and no other one would run against its mutants.
 */
function forgetStatements(): Plugin {
  const kept = /\n *(compiled|texts)\.set\(dialect, .*\);/;
  return {
    name: 'forget-statements',
    enforce: 'pre',
    transform(code, id) {
      if (!/core\/store\/statements\/(fixed|row)-statements?\.ts/.test(id)) return undefined;
      if (!kept.test(code)) throw new Error(`${id} no longer keeps its statements here: change forgetStatements.`);
      return { code: code.replace(kept, ''), map: null };
    },
  };
}

// The folders and files of tests, from the variable that `npm run test:mutation` sets.
const wanted = (process.env.MUTATION_TESTS ?? 'test').split(',');
const without = (process.env.MUTATION_WITHOUT ?? '').split(',');
const patterns = wanted.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
const chainTests = findChainTests(root)
  .filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)))
  .filter((file) => !without.includes(file));
const globalSetup = [
  'test/support/run/build-program.ts',
  'test/support/run/start-chains.ts',
  'tools/collect-landings.ts',
];

/** The tests of one mutated area as one project, since the whole project starts for every mutant. */
export default defineConfig({
  root,
  ...packageResolution,
  plugins: [...packageResolution.plugins, forgetStatements()],
  test: {
    include: patterns,
    exclude: ['**/node_modules/**', ...without],
    // Few random worlds: they run for each mutant that no other test has detected.
    env: { SIMULATION_SEEDS: '2' },
    isolate: false,
    reporters: [reportFiles()],
    sequence: { sequencer: FastestFirst },
    // A timeout on a busy machine must not count as detection.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: chainTests.length === 0 ? [] : globalSetup,
  },
});
