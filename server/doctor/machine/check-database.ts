import { existsSync, readFileSync, statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { CompiledStatement } from '../../../core/store/compile-statement.ts';
import { digestMasterKey } from '../../../core/store/master-keys/check-master-key.ts';
import { newestVersion, oldestVersion } from '../../../core/store/migrations/history.ts';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';
import { errorCode } from '../../../core/store/store-error.ts';
import type { Config } from '../../config/config-schema.ts';
import { readMasterKey } from '../../config/secret-files.ts';
import { systemClock } from '../../system-clock.ts';
import { type Finding, type FindingsAbout, findingsAbout } from '../finding.ts';
import { checkPaymasters, type ReadRows } from './paymaster-findings.ts';

/** A larger file takes too long to read fully, in bytes. */
const maxCheckedBytes = 2 ** 30;
/** Up to this size a file that no one has open is read into memory, in bytes. */
const maxBytesInMemory = 2 ** 28;

/**
 * Checks the database without changing it: that it opens, its schema, its integrity, and who keeps its ledger. Reading the
 * whole file blocks this process, so nothing else should run meanwhile.
 */
export async function checkDatabase(file: string, config: Config): Promise<readonly Finding[]> {
  const find = findingsAbout('database');
  if (!existsSync(file)) return [find.ok('database', 'It does not exist yet. The service creates it at its start.')];
  const owner = ownerOf(file);
  const held = owner === undefined ? [] : [find.ok('database-owner', `Its ledger is kept by process ${owner}.`)];
  // Opening by path creates missing journal files, and leaves them behind.
  const isQuiet = !existsSync(`${file}-wal`) && owner === undefined;
  if (isQuiet && statSync(file).size > maxBytesInMemory) {
    return [find.ok('database', 'It exists, but is too large to check while no service uses it.')];
  }
  try {
    const database = isQuiet ? openHandle(readDatabase(file), { readonly: true }) : open(file);
    try {
      return [...held, ...(await lookInto(database, { file, config }, find))];
    } finally {
      database.close();
    }
  } catch (error) {
    const message = `It cannot be read (${errorCode(error) ?? 'unknown error'}).`;
    const remedy =
      'Check that databaseFile names the right file. If it does, restore the last backup next to it and compare.';
    return [...held, find.failure('database-unreadable', message, remedy)];
  }
}

function open(file: string) {
  return openHandle(file, { readonly: true, fileMustExist: true, timeout: 1_000 });
}

/** The database in memory, which has no write-ahead log: two header bytes set the journal mode. */
function readDatabase(file: string): Buffer {
  const content = readFileSync(file);
  if (content.length > 20) content.fill(1, 18, 20);
  return content;
}

async function lookInto(
  database: BetterSqlite3.Database,
  { file, config }: { readonly file: string; readonly config: Config },
  find: FindingsAbout,
): Promise<readonly Finding[]> {
  const ask = (sql: string) => database.prepare(sql).pluck().get();
  const isOurs = ask("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'") === 1;
  if (!isOurs) {
    const isEmpty = ask('SELECT count(*) FROM sqlite_schema') === 0;
    if (isEmpty) return [find.ok('database', 'It is empty. Its tables are created when the service starts.')];
    return [
      find.failure(
        'database-foreign',
        'It is a SQLite database of another program.',
        'Set databaseFile to a separate file.',
      ),
    ];
  }
  const version = Number(ask('SELECT coalesce(max(version), 0) FROM schema_migrations'));
  if (version > newestVersion) {
    const message = `It has schema version ${version}, but this program knows versions up to ${newestVersion}.`;
    return [find.failure('database-newer', message, 'Start the version of the program that wrote it, or a newer one.')];
  }
  if (version < oldestVersion) {
    const message = `It has schema version ${version}, from before the first release. No service starts with it.`;
    return [find.failure('database-older', message, 'Set databaseFile to a new file, and set the service up again.')];
  }
  if (ask("SELECT 1 FROM sqlite_schema WHERE name = 'moved_to_server'") === 1) {
    const message = `It was moved to ${ask('SELECT server FROM moved_to_server')}. No service starts with it.`;
    return [find.failure('database-moved', message, 'Set databaseUrl instead of databaseFile.')];
  }
  const sealed = database.prepare('SELECT digest FROM master_keys').pluck().all();
  const otherKey = checkMasterKeys(sealed.map(String), digestsOf(config), find);
  if (statSync(file).size > maxCheckedBytes)
    return [find.ok('database', `It has schema version ${version}; it is too large for a full check.`), ...otherKey];
  const fault = String(ask('PRAGMA quick_check(1)'));
  if (fault !== 'ok') {
    const remedy = 'Stop the service, keep the file, and restore the last backup. Check the disk.';
    return [find.failure('database-damaged', 'It is damaged (quick_check).', remedy)];
  }
  const later = version < newestVersion ? `, and is migrated to ${newestVersion} by the next start` : '';
  const readRows: ReadRows = <Row extends object>({ sql, parameters }: CompiledStatement) =>
    database.prepare<unknown[], Row>(sql).all(...parameters);
  const paymasters =
    version === newestVersion
      ? await checkPaymasters(readRows, { database: 'sqlite', config, now: systemClock.now() })
      : [];
  return [find.ok('database', `It is intact and has schema version ${version}${later}.`), ...otherKey, ...paymasters];
}

/** The process that has the lock on the ledger; undefined if there is none, or if the system does not report it. */
function ownerOf(file: string): string | undefined {
  const lock = statSync(`${file}.lock`, { throwIfNoEntry: false });
  if (lock === undefined || !existsSync('/proc/locks')) return undefined;
  const line = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .find((one) => one.includes(' WRITE ') && new RegExp(`:${lock.ino} `).test(one));
  return line?.trim().split(/\s+/)[4];
}

/**
 * The digests of a configuration's master keys, as a database stores them; undefined for an unreadable file, which is
 * reported elsewhere.
 */
export function digestsOf({
  masterKeyFile,
  previousMasterKeyFiles,
}: Pick<Config, 'masterKeyFile' | 'previousMasterKeyFiles'>): readonly string[] | undefined {
  if (masterKeyFile === undefined) return undefined;
  try {
    return [masterKeyFile, ...previousMasterKeyFiles].map((file) => digestMasterKey(readMasterKey(file)));
  } catch {
    return undefined;
  }
}

/** Whether the configuration has every master key that sealed data in the database. */
export function checkMasterKeys(
  known: readonly string[],
  given: readonly string[] | undefined,
  find: FindingsAbout,
): readonly Finding[] {
  if (given === undefined || known.every((digest) => given.includes(digest))) return [];
  const isOther = !known.some((digest) => given.includes(digest));
  const message = isOther
    ? 'It was written with another master key. The service does not start.'
    : 'It still holds values sealed with a master key that is not configured.';
  const remedy = isOther
    ? 'Set masterKeyFile to the key that the database was written with.'
    : 'Add the file of the earlier key to previousMasterKeyFiles.';
  return [find.failure('database-master-key', message, remedy)];
}
