import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { Logger } from '../../base/logger.ts';
import { StartError } from '../../domain/start-error.ts';
import { cannotOpen, errorCode } from '../store-error.ts';
import { openHandle } from './open-handle.ts';
import { createPrivateFile } from './open-sqlite.ts';

/** How long to wait for the process that has the database, in milliseconds: longer than a shutdown takes. */
export const maxWaitForOwner = 15_000;
/** Milliseconds between two attempts. */
const betweenAttempts = 100;

/** Held locks: an unreferenced handle would be closed, and its lock lost. */
const held = new Set<BetterSqlite3.Database>();

/**
 * Makes this process the one that keeps the ledger of a database: its caches and its chain watching assume that there is no
 * other. The lock is SQLite's own on an empty file next to the database (`<file>.lock`), which the operating system drops
 * when the process ends in any way. The database itself stays open to readers, backups and the commands for accounts.
 *
 * @throws StartError, to be retried, when another process still has it after `maxWaitMs`; at once by default.
 */
export async function lockDatabase(
  file: string,
  { logger, maxWaitMs }: { readonly logger?: Logger; readonly maxWaitMs: number } = { maxWaitMs: 0 },
): Promise<{ release(): void }> {
  const lock = openLock(file);
  try {
    for (let waited = 0; !tryLock(lock); waited += betweenAttempts) {
      if (waited >= maxWaitMs) throw new StartError(takenText(file, maxWaitMs), { tryAgain: true });
      if (waited === 0) logger?.warn({ file, maxWaitMs }, 'Another process uses the database; waiting for it');
      await pause(betweenAttempts);
    }
  } catch (cause) {
    lock.close();
    throw cause instanceof StartError ? cause : cannotOpen(lock.name, cause);
  }
  held.add(lock);
  return {
    release: () => {
      lock.close();
      held.delete(lock);
    },
  };
}

function openLock(file: string): BetterSqlite3.Database {
  const path = `${realFile(file)}.lock`;
  createPrivateFile(path);
  try {
    return openHandle(path, { timeout: 0 });
  } catch (cause) {
    throw cannotOpen(path, cause);
  }
}

/** Two names of one database share one lock. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It does not exist yet.
  }
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch (cause) {
    throw cannotOpen(file, cause);
  }
}

function tryLock(lock: BetterSqlite3.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (cause) {
    if (errorCode(cause)?.startsWith('SQLITE_BUSY')) return false;
    throw cause;
  }
}

function takenText(file: string, maxWaitMs: number): string {
  return (
    `Another process still uses the database ${file} after ${maxWaitMs / 1_000} seconds. ` +
    'Only one process may keep its ledger. Stop the other one, or configure another database here.'
  );
}
