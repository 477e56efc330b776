import type pg from 'pg';

/** What processes at one database take turns for. Those of another schema of it have turns of their own. */
type Turn = 'tollfree owner' | 'tollfree writes';

/** SQL for the number of an advisory lock, with the turn's name as the first parameter or in its place. */
function lockKey(turn: Turn): string {
  return `hashtextextended('${turn} of ' || current_schema(), 0)`;
}

/**
 * SQL that begins a transaction which has the turn of all writers until it ends. READ COMMITTED: each statement sees what was
 * committed before it, so that those after the lock see all that earlier turns have written; a snapshot taken before the lock
 * would not. Selects the number of the transaction, by which its fate can be asked for later.
 */
export const beginSerialised =
  'BEGIN ISOLATION LEVEL READ COMMITTED; ' +
  `SELECT pg_advisory_xact_lock(${lockKey('tollfree writes')}); SELECT pg_current_xact_id()::text AS id`;

/**
 * The same where tables are there, for transactions of the service: selects also where the server's log was, and since when the
 * database is known to lack what had been committed, and which version of the schema a program has to know that writes. `tellsPosition`: the server keeps a log as PostgreSQL does.
 */
export function beginNoted(tellsPosition: boolean): string {
  const position = tellsPosition ? 'pg_current_wal_insert_lsn()::text' : 'NULL';
  return (
    'BEGIN ISOLATION LEVEL READ COMMITTED; ' +
    `SELECT pg_advisory_xact_lock(${lockKey('tollfree writes')}); ` +
    `SELECT pg_current_xact_id()::text AS id, ${position} AS position, lost_at, oldest_writer FROM database_owner`
  );
}

/** Takes the turn of the one process that leads, for as long as the connection lasts; whether it was free. */
export async function tryToOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: number }>(
    `SELECT pg_try_advisory_lock(${lockKey('tollfree owner')}) AS taken`,
  );
  return rows[0]?.taken === 1;
}

/** Gives up the turn of the one that leads, where the session has it. */
export async function disown(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${lockKey('tollfree owner')})`);
}
