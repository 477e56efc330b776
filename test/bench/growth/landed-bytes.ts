import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { concat, type Hex, numberToHex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';
import { incrementCall } from '../../../server/dev/demo-operations.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import { buildUserOperation, signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../../server/dev/user-operation/entry-point.ts';
import { startPostgres } from '../../../tools/start-postgres.ts';
import { startBenchService } from '../bench-process.ts';

/**
 * `npm run bench:landed-bytes`: what a landed operation of an ERC-7677 client leaves in a real service's database, by table with its
 * indexes: two requests each, signed, sent, settled. What the service deletes by itself within some days is left out.
 * `--operations 2000`, `--postgres`.
 */
const { values: flags } = parseArgs({
  options: { operations: { type: 'string', default: '2000' }, postgres: { type: 'boolean', default: false } },
});
const operations = Number(flags.operations);
const accounts = 8;
const stubSchema = z.object({ paymasterVerificationGasLimit: z.string(), paymasterPostOpGasLimit: z.string() });
const hex = z.templateLiteral(['0x', z.string()]);
const dataSchema = z.object({ paymaster: hex, paymasterData: hex });

/** What the service deletes by itself: after a day, after the longest rollback, and some days after a window. */
const deletedLater = [
  "DELETE FROM decisions WHERE outcome = 'stub'",
  'DELETE FROM passed_blocks',
  'DELETE FROM ledger_accounts WHERE kept_until IS NOT NULL',
];

/** A table that takes no more than this has hardly any rows: some pages of the table and its indexes. */
const pageBytes = 80_000;

const server = flags.postgres ? await startPostgres() : undefined;
const folder = mkdtempSync(join(tmpdir(), 'tollfree-landed-bytes-'));
const url = server === undefined ? undefined : await makeDatabase(server.url);
const service = await startBenchService([folder, ...(url === undefined ? [] : ['--database', url])]);
const { nodeUrl, paymasterSigner, rpcUrl, entryPoint } = service.target;
if (nodeUrl === undefined || paymasterSigner === undefined) throw new Error('The service has no chain.');
const devnet = await startDevnet({ port: 0, nodeUrl, paymasterSigner });
// A bundler for each: transactions of one have to wait for each other.
const owners = Array.from({ length: accounts }, (_, index) => ({
  owner: privateKeyToAccount(generatePrivateKey()),
  bundler: privateKeyToAccount(deriveDevKey(index)),
}));

await Promise.all(
  owners.map(async ({ owner, bundler }) => {
    for (let landed = 0; landed < operations / accounts; landed += 1) await land(owner, bundler);
  }),
);
await settled();
const copy = join(folder, 'copy.db');
if (url === undefined) await inFile(databaseFile(), (database) => database.exec(`VACUUM INTO '${copy}'`));
await (url === undefined ? inFile(copy, measureFile) : measureServer(url));
await service.stop();
await server?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function land(owner: PrivateKeyAccount, bundler: PrivateKeyAccount): Promise<void> {
  const built = await buildUserOperation(devnet, { version: '0.7', owner: owner.address }, [incrementCall(devnet)]);
  const deploys = built.initCode !== '0x';
  const limits = {
    callGasLimit: 100_000n,
    verificationGasLimit: deploys ? 350_000n : 100_000n,
    preVerificationGas: 60_000n,
  };
  const ask = <Answer>(method: string, operation: typeof built, schema: z.ZodType<Answer>) =>
    rpcCall(rpcUrl, method, [toRpcUserOperation(operation), entryPoint, numberToHex(devnet.chainId), {}], schema);
  const stub = await ask('pm_getPaymasterStubData', built, stubSchema);
  const limited = { ...built, ...limits };
  const gas = [stub.paymasterVerificationGasLimit, stub.paymasterPostOpGasLimit].map((limit) =>
    numberToHex(BigInt(limit), { size: 16 }),
  ) as [Hex, Hex];
  const { paymaster, paymasterData } = await ask('pm_getPaymasterData', limited, dataSchema);
  const paymasterAndData = concat([paymaster, ...gas, paymasterData]);
  const operation = await signUserOperation(devnet, { ...limited, paymasterAndData }, owner);
  const { success } = await handleUserOperation(devnet, operation, bundler);
  if (!success) throw new Error('A call reverted.');
}

/** Waits until the service has settled what landed. */
async function settled(): Promise<void> {
  while (Number((await read("SELECT count(*) AS live FROM holds WHERE state = 'live'"))[0]?.live) > 0) await pause(500);
  // What is written behind an answer: usage, and who has been told.
  await pause(3_000);
}

function measureFile(database: BetterSqlite3.Database): void {
  for (const statement of [...deletedLater, 'VACUUM']) database.exec(statement);
  const sizes = database.prepare(
    `SELECT coalesce(tbl_name, dbstat.name) AS name, sum(pgsize) AS bytes
      FROM dbstat LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY 1`,
  );
  show(sizes.all() as Sizes);
}

async function measureServer(address: string): Promise<void> {
  for (const statement of [...deletedLater, 'VACUUM FULL']) await ask(address, statement);
  show(
    (await ask(
      address,
      'SELECT relname AS name, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables',
    )) as Sizes,
  );
}

async function inFile(file: string, use: (database: BetterSqlite3.Database) => void): Promise<void> {
  const database = openHandle(file);
  use(database);
  database.close();
}

function databaseFile(): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('dev.db'));
  return join(folder, found ?? '');
}

async function read(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (url !== undefined) return ask(url, statement);
  const database = openHandle(databaseFile(), { readonly: true });
  const rows = database.prepare(statement).all() as Record<string, unknown>[];
  database.close();
  return rows;
}

async function ask(address: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

async function makeDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query('CREATE DATABASE tollfree_bench TEMPLATE template0');
  await client.end();
  const made = new URL(serverUrl);
  made.pathname = '/tollfree_bench';
  return made.href;
}

type Sizes = readonly { readonly name: string; readonly bytes: number | string }[];

function show(sizes: Sizes): void {
  const each = sizes
    .map(({ name, bytes }) => ({ name, bytes: Math.round(Number(bytes) / operations) }))
    .filter(({ bytes }) => bytes > pageBytes / operations)
    .sort((first, second) => second.bytes - first.bytes);
  const all = each.reduce((sum, { bytes }) => sum + bytes, 0);
  print(`${all} bytes a landed operation in ${url === undefined ? 'SQLite' : 'PostgreSQL'}`);
  for (const { name, bytes } of each) print(`  ${name.padEnd(20)} ${bytes}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
