import { once } from 'node:events';
import { resolve } from 'node:path';
import pg from 'pg';
import { spawnTied } from '../server/dev/devnet/start-anvil.ts';
import { startPostgres } from './start-postgres.ts';

/** The tests that use the store. */
const folders = [
  'store',
  'ledger',
  'management',
  'decisions',
  'sponsorship',
  'policies',
  'notifications',
  'metrics',
  'cores',
  'hot-wallet',
].map((name) => `test/${name}/`);
const files = ['test/quotes/quote-store', 'test/gateway/shared-limits', 'test/simulation/cluster-worlds'];

/**
 * `npm run test:postgres`: the tests of the store, and of everything that uses it, on PostgreSQL: on the server of
 * `DATABASE_URL`, or on one that is installed outside the repository and removed afterwards. Flags go to vitest, and folders
 * replace the default ones.
 */
const { DATABASE_URL: given } = process.env;
const server = given === undefined ? await startPostgres() : { url: given, stop: () => removeDatabases(given) };
try {
  const flags = process.argv.slice(2);
  const chosen = flags.some((flag) => flag.startsWith('test/')) ? [] : [...folders, ...files];
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  // Each statement is a network round trip: long tests take several times as long.
  const patience = ['--testTimeout=300000', '--hookTimeout=300000'];
  // Tied, so that tests do not continue without their database when this process is killed.
  const running = spawnTied(process.execPath, [vitest, 'run', ...patience, ...chosen, ...flags], {
    env: { ...process.env, TEST_DATABASE: 'postgres', DATABASE_URL: server.url },
  });
  running.stdout.pipe(process.stdout);
  running.stderr.pipe(process.stderr);
  const [status] = await once(running, 'exit');
  process.exitCode = typeof status === 'number' ? status : 1;
} finally {
  await server.stop();
}

/** Removes the databases of tests from an existing server. */
async function removeDatabases(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'tollfree\\_test\\_%'",
  );
  for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}
