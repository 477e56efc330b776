import type pg from 'pg';

/** Where a server is in its history. */
export type ServerHistory = {
  /** Counts up each time that a standby takes over, or a backup is restored. */
  readonly timeline: number;
  /** Up to where it had the history of the server before it, as a position of the log; undefined where it does not know. */
  readonly replayed: bigint | undefined;
};

/** A position of the server's log, of text like `16/B374D848`. */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Asks a server that writes where it is; undefined of one that has no log as PostgreSQL keeps it. */
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
