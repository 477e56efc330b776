import { resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { findChainTests } from '../../test/support/run/find-chain-tests.ts';
import { takeFromTests } from '../take-from-tests.ts';
import { cheapestFirst } from './cheapest-first.ts';
import { reportBrokenFiles } from './report-broken-files.ts';

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
