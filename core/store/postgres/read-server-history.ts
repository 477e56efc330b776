import type pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import { readServerRows } from './inspect-server.ts';

/** The last transaction of this process whose commit the server confirmed. */
export type LastCommit = {
  readonly transaction: string;
  /** The server's log position when it began; undefined if the server does not report it. */
  readonly position: bigint | undefined;
  readonly history: ServerHistory | undefined;
};

/** A server's status of a transaction; `none` if it has never begun one with that number, undefined for a very old one. */
export type Fate = 'committed' | 'aborted' | 'in progress' | 'none' | undefined;

/**
 * Whether the current server lacks a transaction whose commit was confirmed by another one or by itself: after a failover to
 * an incomplete standby, a restore of an older copy, or a crash before the log was written. The number of a lost transaction
 * may be reused; positions distinguish them. If it cannot be determined, it counts as lost.
 */
export function wasLost(last: LastCommit, fate: Fate, now: ServerHistory | undefined): boolean {
  if (fate !== undefined && fate !== 'committed') return true;
  const before = last.history;
  if (before === undefined || now === undefined || now.timeline === before.timeline) return false;
  if (now.timeline !== before.timeline + 1 || now.replayed === undefined || last.position === undefined) return true;
  return now.replayed <= last.position;
}

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

/** Since when a database is known to lack committed data, in Unix seconds by its clock; undefined if it lacks nothing. */
export async function readLostAt(url: Secret<string>): Promise<number | undefined> {
  const asked = { sql: 'SELECT lost_at FROM database_owner', parameters: [] };
  const [row] = await readServerRows<{ lost_at: number | null }>(url, asked);
  return row?.lost_at ?? undefined;
}

/**
 * Ends the wait of all cores for the signatures that may be missing after that loss. Returns whether it was still the last
 * loss.
 */
export async function endWait(url: Secret<string>, lostAt: number): Promise<boolean> {
  const sql = 'UPDATE database_owner SET lost_at = NULL WHERE lost_at = $1 RETURNING id';
  return (await readServerRows(url, { sql, parameters: [lostAt] })).length === 1;
}
