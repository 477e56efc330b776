import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { cannotOpen, errorCode, StoreError } from '../../store-error.ts';
import { checkSchema } from '../migrate.ts';
import { openHandle } from '../open-handle.ts';

/** Pages of a step, between which other work gets a turn: 4 MiB at SQLite's 4096 bytes. */
const pagesPerStep = 1_024;

/** Called with the copied share, from 0 to 1. */
export type CopyProgress = (done: number) => void;

/**
 * Copies the current state of a database into a new file that only its owner can read. Others may keep writing: all steps
 * read from one snapshot, since otherwise each write of another process would restart the copy. The copy is one file,
 * without a write-ahead log, and on disk when the promise resolves.
 *
 * @throws StoreError when the source cannot be read, or the target exists already or cannot be written.
 */
export async function copyDatabase(from: string, to: string, onProgress: CopyProgress = () => {}): Promise<void> {
  const source = openSource(from);
  try {
    createNew(to);
    await copy(source, to, onProgress);
  } finally {
    source.close();
  }
}

function openSource(file: string): BetterSqlite3.Database {
  let source: BetterSqlite3.Database | undefined;
  try {
    source = openHandle(file, { readonly: true, fileMustExist: true });
    source.exec('BEGIN');
    // The snapshot is taken at the first read.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    return source;
  } catch (cause) {
    source?.close();
    throw cannotOpen(file, cause);
  }
}

function createNew(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') throw new StoreError(`${file} already exists and is not overwritten.`);
    throw cannotWrite(file, cause);
  }
}

async function copy(source: BetterSqlite3.Database, to: string, onProgress: CopyProgress): Promise<void> {
  try {
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
        return pagesPerStep;
      },
    });
    const made = openHandle(to);
    try {
      made.exec('PRAGMA journal_mode = DELETE');
    } finally {
      made.close();
    }
    const handle = openSync(to, 'r+');
    fsyncSync(handle);
    closeSync(handle);
  } catch (cause) {
    throw cannotWrite(to, cause);
  }
}

function cannotWrite(file: string, cause: unknown): StoreError {
  return new StoreError(
    `The copy ${file} cannot be written (${errorCode(cause) ?? 'unknown error'}). ` +
      'Check that its folder exists, that this user may write to it and that the disk has room.',
    { cause },
  );
}

/** The content of a database copy. */
export type CopyFacts = {
  readonly bytes: number;
  readonly schemaVersion: number;
  /** Entries of gas tanks. */
  readonly entries: number;
  /** The newest block in the ledger of each watched chain. */
  readonly chains: readonly { readonly chainId: number; readonly block: number }[];
};

/**
 * Reads a whole copy and reports its content. `name` is used in errors.
 *
 * @throws StoreError when it is damaged, belongs to another program, or is newer than this one.
 */
export function checkCopy(file: string, name = file): CopyFacts {
  let copy: BetterSqlite3.Database | undefined;
  try {
    copy = openHandle(file, { readonly: true, fileMustExist: true });
    return { bytes: statSync(file).size, ...readFacts(copy, name) };
  } catch (cause) {
    throw cannotOpen(name, cause);
  } finally {
    copy?.close();
  }
}

function readFacts(copy: BetterSqlite3.Database, name: string): Omit<CopyFacts, 'bytes'> {
  const all = (sql: string) => copy.prepare(sql).all();
  const verdict = copy.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (verdict !== 'ok') throw damaged(name);
  const schemaVersion = checkSchema(copy, name);
  if (schemaVersion === 0) throw new StoreError(`The file ${name} is empty. It contains no Tollfree database.`);
  if (all('PRAGMA foreign_key_check').length > 0) throw damaged(name);
  const tables = copy.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  // Earlier versions have neither of the two.
  const count = (table: string) => Number(copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return {
    schemaVersion,
    entries: tables.includes('journal') ? count('journal') : 0,
    chains: tables.includes('contract_watches')
      ? (all(
          'SELECT chain_id AS chainId, max(next_block) - 1 AS block FROM contract_watches GROUP BY chain_id ORDER BY chain_id',
        ) as { chainId: number; block: number }[])
      : [],
  };
}

function damaged(name: string): StoreError {
  return new StoreError(`The database ${name} is damaged according to PRAGMA integrity_check. Use another copy.`);
}

/** Flushes the folder of a file to disk, so that its names survive a power cut. */
export function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
