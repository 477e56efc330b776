import { closeSync, fsyncSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { cannotOpen, errorCode, StoreError } from '../../store-error.ts';
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
