import type pg from 'pg';

/** A server's position in its history. */
export type ServerHistory = {
  /** Increases each time a standby takes over or a backup is restored. */
  readonly timeline: number;
  /** How far it had received the history of its predecessor, as a log position; undefined if it does not know. */
  readonly replayed: bigint | undefined;
};

/** A log position from text like `16/B374D848`. */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Reads the position of a writable server; undefined if it does not have PostgreSQL's log. */
export async function readServerHistory(client: pg.Client): Promise<ServerHistory | undefined> {
  try {
    const { rows } = await client.query<{ segment: string; replayed: string | null }>(
      'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS segment, pg_last_wal_replay_lsn()::text AS replayed',
    );
    const [{ segment, replayed } = { segment: '', replayed: null }] = rows;
    const timeline = Number.parseInt(segment.slice(0, 8), 16);
    if (Number.isNaN(timeline)) return undefined;
    return { timeline, replayed: replayed === null ? undefined : readPosition(replayed) };
  } catch {
    return undefined;
  }
}
