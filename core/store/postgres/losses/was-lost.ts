import type { ServerHistory } from './read-server-history.ts';

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
