import { closeSync, openSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { retain } from './retain.ts';
import { StoreError } from './store-error.ts';

/** How long a statement waits for another process that is writing, in milliseconds. The whole process waits with it. */
const busyTimeoutMs = 1_000;

/**
 * Opens a SQLite file with the settings that durability needs. A new file is readable by its owner only. Throws a
 * `StoreError` that says what to do.
 */
export function openSqlite(file: string): BetterSqlite3.Database {
  checkNativeBinding();
  createPrivateFile(file);
  let database: BetterSqlite3.Database | undefined;
  try {
    database = retain(new BetterSqlite3(file, { timeout: busyTimeoutMs }));
    configure(database);
    return database;
  } catch (cause) {
    database?.close();
    throw cannotOpen(file, cause);
  }
}

/** Loads the compiled part of better-sqlite3, which is missing after an install without scripts or for another Node. */
export function checkNativeBinding(): void {
  try {
    retain(new BetterSqlite3(':memory:')).close();
  } catch (cause) {
    throw new StoreError(
      `The compiled part of better-sqlite3 does not load in Node ${process.version} on ${process.platform} ` +
        `${process.arch}. Run \`npm rebuild better-sqlite3\`; where no ready-made build exists it compiles from ` +
        'source and needs Python 3, make and a C++ compiler.',
      { cause },
    );
  }
}

function configure(database: BetterSqlite3.Database): void {
  const journal = retain(database.prepare('PRAGMA journal_mode = WAL')).pluck().get();
  if (journal !== 'wal') {
    throw new StoreError(`The file system of ${database.name} cannot hold a write-ahead log. Use a local disk.`);
  }
  // better-sqlite3 sets NORMAL for WAL, with which a power cut can lose what was already answered.
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
}

/** SQLite gives its -wal and -shm files the mode of the database file. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cannotOpen(file, cause);
  }
}

function cannotOpen(file: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const code = codeOf(cause);
  const why =
    code === 'SQLITE_NOTADB'
      ? 'It is not a SQLite database.'
      : 'Check that its folder exists, that this user may write to it and that no other program holds it.';
  return new StoreError(`The database ${file} cannot be opened (${code ?? 'unknown error'}). ${why}`, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
