import { existsSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { lockDatabase } from './lock-database.ts';
import { openSqlite } from './open-sqlite.ts';

type Mark = { readonly server: string; readonly moved_at: number };

/**
 * Throws a `StoreError` for a file that was moved to a server: a second service on the file would sign for the same deposit.
 */
export function refuseMoved(database: BetterSqlite3.Database): void {
  const mark = readMark(database);
  if (mark === undefined) return;
  throw new StoreError(
    `The database ${database.name} was moved to ${mark.server} on ${new Date(mark.moved_at * 1_000).toISOString()}. ` +
      'Set databaseUrl instead of databaseFile. To use this file again, stop every service of the other database for good. Then ' +
      `run \`tollfree migrate --undo --from sqlite:${database.name}\`.`,
  );
}

function readMark(database: BetterSqlite3.Database): Mark | undefined {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'moved_to_server'").get();
  if (table === undefined) return undefined;
  return database.prepare('SELECT server, moved_at FROM moved_to_server').get() as Mark;
}

/** Marks a file that no service has open. On disk when this returns. `server` has no password. */
export function markMoved(file: string, server: string): void {
  withFile(file, (database) =>
    database.transaction(() => {
      database.exec('CREATE TABLE moved_to_server (server TEXT NOT NULL, moved_at INTEGER NOT NULL) STRICT');
      database.prepare('INSERT INTO moved_to_server (server, moved_at) VALUES (?, unixepoch())').run(server);
    })(),
  );
}

export function removeMark(file: string): void {
  withFile(file, (database) => database.exec('DROP TABLE moved_to_server'));
}

/** Allows starting with a moved file again. Throws a `StoreError` for one that was not moved. */
export async function undoMove(file: string): Promise<void> {
  if (!existsSync(file)) throw new StoreError(`There is no database ${file}.`);
  const lock = await lockDatabase(file);
  try {
    if (withFile(file, readMark) === undefined) {
      throw new StoreError(`The database ${file} was not moved. There is nothing to undo.`);
    }
    removeMark(file);
  } finally {
    lock.release();
  }
}

function withFile<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = openSqlite(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
