import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findChainTests } from './test/support/run/find-chain-tests.ts';
import { leftToOtherCommits, longTests } from './test/support/run/long-tests.ts';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { temporaryFolder } from './test/support/run/temporary-folder.ts';
import { installPackages } from './tools/install-packages.ts';
import { packageResolution } from './tools/package-resolution.ts';

installPackages('test');

const include = ['test/**/*.test.ts'];
const leftOut =
  process.env.LONG_TESTS === '1' ? [] : [...longTests, ...leftToOtherCommits(process.env.TESTS_OF_COMMIT)];
const chainTests = [...findChainTests(import.meta.dirname)].filter((file) => !leftOut.includes(file));

const everyTest = {
  pool: 'forks' as const,
  // A worker loads the product once for all its files. What a test changes for the whole process it puts back.
  isolate: false,
  setupFiles: ['watch-transactions', 'wait-longer', 'note-answers'].map((name) =>
    join(import.meta.dirname, `test/support/run/${name}.ts`),
  ),
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A page on a busy machine takes longer than the second that is the default.
  expect: { poll: { timeout: 15_000 } },
  env: temporaryFolder(),
  execArgv: ['--import', join(import.meta.dirname, 'test/support/run/end-with-run.mjs')],
};

/** Files or a project are named on the command line: what those do not need is not started for them. */
const isPart = process.argv.slice(3).some((argument) => !argument.startsWith('-') || argument.startsWith('--project'));

/** vitest shuffles files only if no sequencer is set. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

const unit = {
  ...packageResolution,
  test: { ...everyTest, name: 'unit', include, exclude: ['**/node_modules/**', ...chainTests, ...leftOut] },
};
const globalSetup = [
  'tools/collect-landings.ts',
  'test/support/run/build-program.ts',
  'test/support/run/build-dashboard.ts',
  'test/support/run/start-chains.ts',
];
const chain = { ...packageResolution, test: { ...everyTest, name: 'chain', include: chainTests, globalSetup } };
/** A worker belongs to a project: in two, the product is transformed twice, and loaded by twice as many workers. */
const all = {
  ...packageResolution,
  test: { ...everyTest, name: 'all', include, exclude: ['**/node_modules/**', ...leftOut], globalSetup },
};

export default defineConfig({
  ...packageResolution,
  test: {
    // Two more than cores: a file that waits for a process or a block leaves its core to another. It stands here alone,
    // since a project that has it too ignores the flag `--maxWorkers`.
    maxWorkers: 4,
    // What one run has compiled, the next one takes: that on the other Node.js too.
    experimental: { fsModuleCache: true },
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    projects: isPart ? [unit, chain] : [all],
  },
});
