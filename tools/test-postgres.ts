import { once } from 'node:events';
import { resolve } from 'node:path';
import pg from 'pg';
import { spawnTied } from '../server/process/spawn-tied.ts';
import { startPostgres } from './start-postgres.ts';

/** The tests of what stands on the store. */
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
  'treasury',
].map((name) => `test/${name}/`);
const files = ['test/quotes/quote-store', 'test/gateway/shared-limits', 'test/simulation/cluster-worlds'];

/**
 * `npm run test:postgres`: the tests of the store, and of what stands on it, on PostgreSQL: the server of `DATABASE_URL`, or
 * one that is installed next to the repository and is gone afterwards. Flags go to vitest, and folders instead of all.
 */
const { DATABASE_URL: given } = process.env;
const server = given === undefined ? await startPostgres() : { url: given, stop: () => removeDatabases(given) };
try {
  const flags = process.argv.slice(2);
  const chosen = flags.some((flag) => flag.startsWith('test/')) ? [] : [...folders, ...files];
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  // A statement is a question over the network: long tests take a multiple of their time.
  const patience = ['--testTimeout=300000', '--hookTimeout=300000'];
  // Tied, so that tests do not go on without their database when this process is killed.
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

/** What tests have made on a server that stays. */
async function removeDatabases(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'tollfree\\_test\\_%'",
  );
  for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}
