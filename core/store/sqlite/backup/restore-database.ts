import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { StartError } from '../../../domain/start-error.ts';
import { cannotOpen, errorCode, StoreError } from '../../store-error.ts';
import { lockDatabase } from '../lock-database.ts';
import { openHandle } from '../open-handle.ts';
import { type CopyFacts, type CopyProgress, checkCopy, copyDatabase, syncFolder } from './copy-database.ts';

/** What was restored, and where the previous database is now. */
type Restored = CopyFacts & { readonly movedAside?: string };

/**
 * Replaces a database that no service has open by a copy. The existing one is kept under a name with `now` in it. Changes
 * nothing unless the copy is intact; whenever the process is killed, there is one intact database at `to`, the previous one
 * or the copy. The schema is that of the copy: the next start upgrades it.
 *
 * @throws StartError, to be retried, while a service has the database; StoreError for all else.
 */
export async function restoreDatabase(
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
  onProgress?: CopyProgress,
): Promise<Restored> {
  const backup = sourceOf(from, to);
  checkCopy(backup, from);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const location = existsSync(to) ? realpathSync(to) : to;
  const lock = await lockDatabase(location).catch((error: unknown) => {
    throw error instanceof StartError ? stillRunning(to, error) : error;
  });
  try {
    const arriving = `${location}.restoring`;
    const facts = await bring(backup, arriving, onProgress);
    const movedAside = nameAside(location, now);
    const isAside = setAside(location, movedAside, arriving);
    renameSync(arriving, location);
    syncFolder(location);
    return isAside ? { ...facts, movedAside } : facts;
  } finally {
    lock.release();
  }
}

function sourceOf(from: string, to: string): string {
  if (!existsSync(from)) throw new StoreError(`The copy ${from} does not exist.`);
  const source = realpathSync(from);
  if (existsSync(to) && source === realpathSync(to)) {
    throw new StoreError(`${from} is the service's own database. Name a copy made by tollfree backup.`);
  }
  return source;
}

async function bring(backup: string, arriving: string, onProgress?: CopyProgress): Promise<CopyFacts> {
  try {
    // Left by a killed restore: the lock guarantees that no other one is running.
    rmSync(arriving, { force: true });
    await copyDatabase(backup, arriving, onProgress);
    return checkCopy(arriving);
  } catch (error) {
    for (const file of [arriving, `${arriving}-journal`]) rmSync(file, { force: true });
    throw error;
  }
}

/** If the existing database cannot be kept, removes the copy again. */
function setAside(location: string, aside: string, arriving: string): boolean {
  try {
    return copyAside(location, aside);
  } catch (error) {
    rmSync(arriving, { force: true });
    throw error;
  }
}

function nameAside(location: string, now: Date): string {
  return `${location}.before-restore-${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '')}`;
}

function stillRunning(file: string, cause: unknown): StartError {
  return new StartError(
    `A service uses the database ${file}. Stop it first, because it would overwrite the restored data.`,
    {
      tryAgain: true,
      cause,
    },
  );
}

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
function copyAside(location: string, aside: string): boolean {
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
