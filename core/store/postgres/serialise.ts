import type pg from 'pg';

/** What processes at one database take turns for. Other schemas have their own turns. */
type Turn = 'tollfree owner' | 'tollfree writes';

/** SQL for the number of an advisory lock, with the turn's name as the first parameter or inline. */
function lockKey(turn: Turn): string {
  return `hashtextextended('${turn} of ' || current_schema(), 0)`;
}

/**
 * SQL that begins a transaction holding the writers' turn until it ends. READ COMMITTED: statements after the lock see
 * everything that earlier turns wrote; a snapshot from before the lock would not. Selects the transaction's number, to query
 * its outcome later.
 */
export const beginSerialised =
  'BEGIN ISOLATION LEVEL READ COMMITTED; ' +
  `SELECT pg_advisory_xact_lock(${lockKey('tollfree writes')}); SELECT pg_current_xact_id()::text AS id`;

/**
 * SQL that begins a transaction of the service with the writers' turn, once tables exist: also selects the server's log position, since when committed
 * data is missing, and the schema version that writers need. `tellsPosition`: the server has PostgreSQL's log.
 */
export function beginNoted(tellsPosition: boolean): string {
  const position = tellsPosition ? 'pg_current_wal_insert_lsn()::text' : 'NULL';
  return (
    'BEGIN ISOLATION LEVEL READ COMMITTED; ' +
    `SELECT pg_advisory_xact_lock(${lockKey('tollfree writes')}); ` +
    `SELECT pg_current_xact_id()::text AS id, ${position} AS position, lost_at, oldest_writer FROM database_owner`
  );
}

/** Takes the leader's turn for the lifetime of the connection; returns whether it was free. */
export async function tryToOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: number }>(
    `SELECT pg_try_advisory_lock(${lockKey('tollfree owner')}) AS taken`,
  );
  return rows[0]?.taken === 1;
}

/** Releases the leader's turn, if the session has it. */
export async function disown(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${lockKey('tollfree owner')})`);
}
