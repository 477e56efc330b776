import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { StartError } from '../../../domain/start-error.ts';
import { cannotOpen, errorCode, StoreError } from '../../store-error.ts';
import { openHandle } from '../open-handle.ts';
import { syncFolder } from './sync-folder.ts';

const endings = ['-wal', '-shm'] as const;
/** How long to wait for a program that reads the database, in milliseconds. */
const busyTimeoutMs = 1_000;

/**
 * Copies the database at `location`, which no service has open, to `aside`. Leaves a file at `location` that can be replaced
 * by a rename: without a write-ahead log, which SQLite would apply to the replacement. The database at `location` stays
 * intact throughout. Returns whether there was anything. The copy takes no space if the file system supports shared blocks.
 *
 * @throws StartError, to be retried, while another program reads it; StoreError when `aside` exists already or cannot be
 * written.
 */
export function copyAside(location: string, aside: string): boolean {
  const taken = ['', ...endings].map((ending) => `${aside}${ending}`).find((file) => existsSync(file));
  if (taken !== undefined) throw new StoreError(`${taken} already exists and is not overwritten.`);
  if (existsSync(location)) foldLog(location);
  // A leftover log belongs to a database that is damaged or gone.
  const present = [...endings, ''].filter((ending) => existsSync(`${location}${ending}`));
  for (const ending of present) copyFile(`${location}${ending}`, `${aside}${ending}`);
  if (present.length > 0) syncFolder(location);
  for (const ending of endings) rmSync(`${location}${ending}`, { force: true });
  return present.length > 0;
}

/** Merges the write-ahead log into the database and removes it. A damaged one stays as it is. */
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

/** Gets its name only when it is complete and on disk. */
function copyFile(from: string, to: string): void {
  // The same name for every restore, so that leftovers do not accumulate.
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
