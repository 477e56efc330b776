import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { longTests, shortenedTests } from '../test/support/run/long-tests.ts';

/** `npm run test:long`: the files that `npm test` skips or shortens. Flags go to vitest. */
const vitest = resolve('node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', ...longTests, ...shortenedTests, ...process.argv.slice(2)],
  {
    env: { ...process.env, LONG_TESTS: '1' },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
