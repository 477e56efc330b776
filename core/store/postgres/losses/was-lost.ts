import type { ServerHistory } from './read-server-history.ts';

/** The last transaction of this process that the server said was committed. */
export type LastCommit = {
  readonly transaction: string;
  /** The position of the server's log when it began; undefined where the server does not tell. */
  readonly position: bigint | undefined;
  readonly history: ServerHistory | undefined;
};

/** What a server says of a transaction; `none` where it has never begun one of that number, undefined of one long ago. */
export type Fate = 'committed' | 'aborted' | 'in progress' | 'none' | undefined;

/**
 * Whether the server that is connected now lacks what another one, or itself, said was committed: a standby that took over
 * without all of it, a copy of an earlier time, or a log that was not written before a crash. The number of a transaction that
 * is lost may be given to another one, which the positions tell apart. Where that cannot be told, it was lost.
 */
export function wasLost(last: LastCommit, fate: Fate, now: ServerHistory | undefined): boolean {
  if (fate !== undefined && fate !== 'committed') return true;
  const before = last.history;
  if (before === undefined || now === undefined || now.timeline === before.timeline) return false;
  if (now.timeline !== before.timeline + 1 || now.replayed === undefined || last.position === undefined) return true;
  return now.replayed <= last.position;
}
