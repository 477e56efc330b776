import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { StartError } from '../../../domain/start-error.ts';
import { cannotOpen, errorCode, StoreError } from '../../store-error.ts';
import { openHandle } from '../open-handle.ts';
import { syncFolder } from './sync-folder.ts';

const endings = ['-wal', '-shm'] as const;
/** How long a program that reads the database is waited for, in milliseconds. */
const busyTimeoutMs = 1_000;

/**
 * Copies the database at `location`, which no service has open, to `aside`, and leaves at `location` a file that another one can be
 * renamed over: without a write-ahead log next to it, which SQLite would write into the other one. Until then the database at
 * `location` is whole at every moment. Answers whether there was anything. The copy takes no room where the file system shares
 * what is alike.
 *
 * @throws StartError to be tried again while another program reads it; StoreError when `aside` is there already or cannot be
 * written.
 */
export function copyAside(location: string, aside: string): boolean {
  const taken = ['', ...endings].map((ending) => `${aside}${ending}`).find((file) => existsSync(file));
  if (taken !== undefined) throw new StoreError(`${taken} already exists and is not overwritten.`);
  if (existsSync(location)) foldLog(location);
  // What is left of a log belongs to a database that is damaged or gone.
  const present = [...endings, ''].filter((ending) => existsSync(`${location}${ending}`));
  for (const ending of present) copyFile(`${location}${ending}`, `${aside}${ending}`);
  if (present.length > 0) syncFolder(location);
  for (const ending of endings) rmSync(`${location}${ending}`, { force: true });
  return present.length > 0;
}

/** Brings what only the write-ahead log has into the database, and takes the log away. A damaged one stays as it is. */
function foldLog(location: string): void {
  let database: BetterSqlite3.Database | undefined;
  try {
    database = openHandle(location, { timeout: busyTimeoutMs });
    database.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE');
  } catch (cause) {
    const code = errorCode(cause) ?? '';
    if (code.startsWith('SQLITE_BUSY')) {
      const sentence = `Another program reads the database ${location}. Wait until it ends, or stop it.`;
      throw new StartError(sentence, { tryAgain: true, cause });
    }
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw cannotOpen(location, cause);
  } finally {
    database?.close();
  }
}

/** Has its name only when it is whole and on the disk. */
function copyFile(from: string, to: string): void {
  // The same for each restore, so that none of them leaves another one.
  const unfinished = `${from}.unfinished`;
  try {
    copyFileSync(from, unfinished, constants.COPYFILE_FICLONE);
    const handle = openSync(unfinished, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(unfinished, to);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw new StoreError(
      `The database cannot be kept as ${to} (${errorCode(cause) ?? 'unknown error'}). Check that the disk has room for it. Nothing was restored.`,
      { cause },
    );
  }
}
