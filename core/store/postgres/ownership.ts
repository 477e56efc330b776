import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../domain/logger.ts';
import { StartError } from '../../domain/start-error.ts';
import { DatabaseLostError } from '../database-lost-error.ts';
import { tryToOwn } from './serialise.ts';

/** Milliseconds between two attempts. */
const betweenAttempts = 100;

/** That of the one process that keeps the books, whose caches and watch know of no other. */
export type Ownership = {
  /** Has each new connection that writes take the lock, which is gone with the connection before it. */
  take(client: pg.Client): Promise<void>;
  /** Notes that the books are kept from here on. To be called once, when the schema is up to date. */
  begin(client: pg.Client): Promise<void>;
};

/**
 * The lock lives as long as the connection that writes, so that no other process can write as the owner while a transaction
 * of this one is open. Where the connection broke, another process may have been the owner meanwhile: the database counts
 * owners, and this one gives up for good when it was not the last.
 *
 * `take` throws a StartError when another process still has the lock after `maxWaitMs`.
 */
export function createOwnership(
  server: string,
  { logger, maxWaitMs }: { readonly logger: Logger; readonly maxWaitMs: number },
): Ownership {
  let generation: number | undefined;
  return {
    take: async (client) => {
      for (let waited = 0; !(await tryToOwn(client)); waited += betweenAttempts) {
        if (waited >= maxWaitMs) throw new StartError(takenText(server, maxWaitMs), { tryAgain: true });
        if (waited === 0) logger.warn({ server, maxWaitMs }, 'Another process has the database; it is waited for');
        await pause(betweenAttempts);
      }
      if (generation === undefined) return;
      const { rows } = await client.query<{ generation: number }>('SELECT generation FROM database_owner');
      if (rows[0]?.generation !== generation) {
        throw new DatabaseLostError('another process has kept the books meanwhile; start this one again');
      }
    },
    begin: async (client) => {
      const { rows } = await client.query<{ generation: number }>(
        'UPDATE database_owner SET generation = generation + 1 RETURNING generation',
      );
      generation = rows[0]?.generation;
    },
  };
}

function takenText(server: string, maxWaitMs: number): string {
  return (
    `Another process still has the database ${server} after ${maxWaitMs / 1_000} seconds. ` +
    'Only one may keep its books: stop the other one, or give this one a database of its own.'
  );
}
