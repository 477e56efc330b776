import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { openSqlite } from '../../core/store/sqlite/open-sqlite.ts';
import type { DevFork } from './devnet/devnet.ts';

/** What `tollfree dev` keeps in its data directory between runs: its keys and tokens, and the developer's settings. */
export type DevState = {
  readonly signerKey: Secret<Hex>;
  readonly masterKey: Secret<Uint8Array>;
  /** The owner of accounts that an application's programs use. It has no coin. */
  readonly ownerKey: Secret<Hex>;
  /** The token of its gRPC port, and its file. */
  readonly grpcToken: Secret<string>;
  readonly grpcTokenFile: string;
  /** Contains the authToken of the development account, once there is one. */
  readonly authTokenFile: string;
  readonly databaseFile: string;
  readonly devFile: string;
  readonly envFile: string;
  /** An example request: see `tryCommand`. */
  readonly requestFile: string;
  readonly logFile: string;
  /** The file that keeps the chain between two runs. */
  readonly chainFile: string;
  readonly kept: Kept;
};

/** What remains of an earlier run. `everything`: also its chain, and with it gas tanks, decisions and usage. */
export type Kept = KeptSettings | 'everything';

const keySchema = z.stringFormat('32 bytes in hex', /^0x[0-9a-f]{64}$/);

/**
 * Opens the data directory (mode 0700). Records of an earlier run belong to its chain: if the chain was not kept, or another
 * node is used, the records are removed and the settings stay. `fresh` removes everything. Only files this command writes
 * are removed. Refuses while another one runs on the directory.
 */
export function openDevState(
  directory: string,
  {
    fresh = false,
    nodeUrl,
    fork = 'osaka',
  }: { readonly fresh?: boolean; readonly nodeUrl?: string; readonly fork?: DevFork } = {},
): DevState {
  const devFile = devFileIn(directory);
  const envFile = join(directory, 'dev.env');
  const ownerFile = join(directory, 'dev-owner.key');
  const databaseFile = join(directory, 'dev.db');
  const [chainFile, logFile] = [join(directory, 'dev-chain.json'), join(directory, 'dev.log')];
  const requestFile = join(directory, 'request.json');
  const [signerFile, masterFile] = [join(directory, 'dev-signer.key'), join(directory, 'dev-master.key')];
  const grpcTokenFile = join(directory, 'dev-grpc.token');
  const authTokenFile = join(directory, 'dev-auth.token');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw mistake(`The data directory ${directory} cannot be made. Choose another with --data.`, error);
  }
  refuseSecondRun(directory);
  for (const file of [devFile, envFile, requestFile, logFile]) rmSync(file, { force: true });
  // If the directory is in a repository, nothing in it is committed.
  writeFileSync(join(directory, '.gitignore'), '*\n');
  if (fresh) {
    removeDatabase(databaseFile);
    removeDatabase(`${databaseFile}.former`);
    for (const file of [signerFile, masterFile, ownerFile, grpcTokenFile, authTokenFile]) rmSync(file, { force: true });
  }
  // Only anvil keeps its chain.
  if (fresh || nodeUrl !== undefined || fork !== 'osaka') rmSync(chainFile, { force: true });
  // Sealed with the master key: unreadable without it.
  if (!existsSync(masterFile)) removeDatabase(databaseFile);
  // The signer owns the contracts on the chain.
  const isWhole = [signerFile, databaseFile, chainFile].every((file) => existsSync(file));
  if (!isWhole) rmSync(chainFile, { force: true });
  const kept = isWhole ? 'everything' : keepSettings(databaseFile);
  return {
    signerKey: new Secret(readOrMakeKey(signerFile)),
    masterKey: new Secret(hexBytes(readOrMakeKey(masterFile))),
    ownerKey: new Secret(readOrMakeKey(ownerFile)),
    grpcToken: new Secret(readOrMakeKey(grpcTokenFile)),
    grpcTokenFile,
    authTokenFile,
    databaseFile,
    devFile,
    envFile,
    requestFile,
    logFile,
    chainFile,
    kept,
  };
}

const runningSchema = z.object({ pids: z.array(z.int().positive()).min(1) });

function devFileIn(directory: string): string {
  return join(directory, 'dev.json');
}

/** Throws while another development service runs on the data directory. */
export function refuseSecondRun(directory: string): void {
  const devFile = devFileIn(directory);
  let pid: number | undefined;
  try {
    pid = runningSchema.parse(JSON.parse(readFileSync(devFile, 'utf8'))).pids[0];
  } catch {
    return;
  }
  if (pid === undefined || pid === process.pid || !isRunning(pid)) return;
  throw mistake(
    `A development service already runs on this data directory (process ${pid}). Stop it, or choose another with --data. If process ${pid} is another program, delete ${devFile}.`,
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readOrMakeKey(file: string): Hex {
  if (!existsSync(file)) {
    const key = generatePrivateKey();
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  }
  chmodSync(file, 0o600);
  const parsed = keySchema.safeParse(readFileSync(file, 'utf8').trim());
  if (!parsed.success) throw mistake(`${file} does not hold a key. Delete it to generate a new one.`);
  return `0x${parsed.data.slice(2)}`;
}

function hexBytes(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'));
}

/** Tables with people's settings, in the order of their references. All other tables concern a chain. */
export const settingsTables = [
  'master_keys',
  'retired_digest_keys',
  'accounts',
  'account_members',
  // Budgets keep numbers of it.
  'counters',
  'budgets',
  'auth_tokens',
  'sessions',
  'used_nonces',
  'audit_log',
  'paymasters',
  'api_keys',
  'api_key_settings',
  'contracts',
  'webhooks',
  'funding_messages',
  'funding_wallets',
  'policies',
  'ticket_keys',
  'named_policies',
  'notifications',
] as const;

/** What happened to the settings of an earlier run. */
type KeptSettings = 'there were none' | 'kept' | 'not readable';

/**
 * Replaces the database of an earlier run by one with an empty ledger that keeps the settings: the chain of the old ledger
 * is gone. Can be repeated after an interruption.
 */
function keepSettings(databaseFile: string): KeptSettings {
  const former = `${databaseFile}.former`;
  if (!existsSync(former)) {
    if (!existsSync(databaseFile)) return 'there were none';
    // The database last: until it has moved, nothing has.
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, former + suffix);
    }
  }
  removeDatabase(databaseFile);
  try {
    copySettings(former, databaseFile);
    return 'kept';
  } catch {
    removeDatabase(databaseFile);
    return 'not readable';
  } finally {
    removeDatabase(former);
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['-wal', '-shm', '']) rmSync(file + suffix, { force: true });
}

function copySettings(from: string, to: string): void {
  const former = openSqlite(from);
  try {
    migrate(former);
  } finally {
    former.close();
  }
  const database = openSqlite(to);
  try {
    migrate(database);
    database.prepare('ATTACH ? AS former').run(from);
    database.transaction(() => {
      for (const table of settingsTables) database.exec(`INSERT INTO main.${table} SELECT * FROM former.${table}`);
    })();
  } finally {
    database.close();
  }
}
