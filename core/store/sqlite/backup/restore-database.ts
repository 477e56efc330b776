import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../../../domain/start-error.ts';
import { StoreError } from '../../store-error.ts';
import { lockDatabase } from '../lock-database.ts';
import { type CopyFacts, checkCopy } from './check-copy.ts';
import { copyAside } from './copy-aside.ts';
import { type CopyProgress, copyDatabase } from './copy-database.ts';
import { syncFolder } from './sync-folder.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

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
  const lock = await lockDatabase(location, { logger: silent, maxWaitMs: 0 }).catch((error: unknown) => {
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
