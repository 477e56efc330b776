import { closeSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { cannotOpen, errorCode, StoreError } from '../store-error.ts';
import { openHandle } from './open-handle.ts';

/** How long a statement waits for another writing process, in milliseconds. It blocks the whole process. */
const busyTimeoutMs = 1_000;

/**
 * Pages of 4 kB in the write-ahead log from which on a commit copies them to the database file itself. The thread that reads does
 * so before, but the log only starts from its beginning again when nothing is left in it.
 */
const pagesOfLog = 4_000;

/**
 * Opens a SQLite file with durable settings. A new file is readable by its owner only. Throws a `StoreError` that says what
 * to do.
 */
export function openSqlite(file: string): BetterSqlite3.Database {
  checkNativeBinding();
  // SQLite gives its -wal and -shm files the mode of the database file.
  createPrivateFile(file);
  let database: BetterSqlite3.Database | undefined;
  try {
    database = openHandle(file, { timeout: busyTimeoutMs });
    configure(database);
    return database;
  } catch (cause) {
    database?.close();
    throw cannotOpen(file, cause);
  }
}

/**
 * Loads SQLite's native binding, which is missing after an install without scripts or optional packages, or for another
 * Node.js.
 */
export function checkNativeBinding(): void {
  try {
    openHandle(':memory:').close();
  } catch (cause) {
    throw new StoreError(
      `SQLite cannot be loaded in Node.js ${process.version} on ${process.platform} ${process.arch}. Install without ` +
        '--omit=optional. From Node.js 22.14 on, that is enough on Linux, macOS and Windows. For earlier versions it ' +
        'is compiled: `npm rebuild better-sqlite3-12` needs Python 3, make and a C++ compiler.',
      { cause },
    );
  }
}

function configure(database: BetterSqlite3.Database): void {
  const journal = database.prepare('PRAGMA journal_mode = WAL').pluck().get();
  if (journal !== 'wal') {
    throw new StoreError(`The file system of ${database.name} cannot hold a write-ahead log. Use a local disk.`);
  }
  // better-sqlite3 sets NORMAL for WAL, with which a power cut can lose what was already answered.
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
  database.pragma(`wal_autocheckpoint = ${pagesOfLog}`);
}

/**
 * Creates an empty file that only its owner can read, unless it exists. An existing one is not even opened: closing it would
 * drop the locks that this process holds on it (POSIX `fcntl`).
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cannotOpen(file, cause);
  }
}
