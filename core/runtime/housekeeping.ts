import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../base/time/clock.ts';
import { countKept } from '../decisions/pruning/kept-counts.ts';
import {
  pruneLimitUsage,
  pruneTicketUsage,
  pruneUpstream,
  pruneUsageHours,
} from '../decisions/pruning/prune-counts.ts';
import {
  type DecisionRetention,
  pruneDecisions,
  pruneGreediest,
  type Reached,
} from '../decisions/pruning/prune-decisions.ts';
import { secondsPerDay } from '../domain/utc-days.ts';
import { pruneAuditLog } from '../management/audit-log/prune-audit-log.ts';
import { pruneSignIn } from '../management/sign-in/prune-sign-in.ts';
import { asLeader } from '../store/leading/as-leader.ts';
import type { Store } from '../store/store.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';

/** Milliseconds between two sweeps. */
const betweenSweeps = 60_000;
/** Pause between two turns of a sweep, in milliseconds, to leave the database to others. */
const betweenTurns = 20;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly keep: DecisionRetention;
  /** Days that entries of the audit log are kept; forever when absent. */
  readonly keepAuditLog?: number;
};

type Options = Parts & { readonly logger: Logger; readonly timers?: Timers };

/**
 * Once a minute, while this process leads, prunes expired decisions, leftovers of limits and tickets, ended sessions and
 * expired entries of the audit log, in small steps with pauses. `close` waits for the current step.
 */
export function startHousekeeping(parts: Options): Running {
  const { store } = parts;
  return whileLeading(store.leadership, () => startSweeping({ ...parts, store: asLeader(store) }));
}

function startSweeping(parts: Options): Running {
  const { clock, logger, timers = createTimers(clock) } = parts;
  let closed = false;
  const sweeping = repeat(
    { clock, timers },
    betweenSweeps,
    () => sweep(parts, () => closed),
    (cause) => logger.error({ err: cause }, 'Expired records could not be pruned; trying again'),
  );
  return {
    close: () => {
      closed = true;
      return sweeping.close();
    },
  };
}

/** Prunes everything due now, or as much as time allows. */
export async function sweep({ store, clock, keep, keepAuditLog }: Parts, isClosed: () => boolean): Promise<void> {
  const now = unixSeconds(clock);
  for (let after = 0, done = false; !isClosed() && !done; await pause(betweenTurns)) {
    ({ after, done } = await pruneDecisions(store, { keepDays: keep.keepDays, now, after }));
  }
  await pruneTooMany(store, keep.keepMost, isClosed);
  while (!isClosed() && !(await pruneLimitUsage(store, now))) await pause(betweenTurns);
  while (!isClosed() && !(await pruneTicketUsage(store, now))) await pause(betweenTurns);
  while (!isClosed() && !(await pruneUpstream(store, now))) await pause(betweenTurns);
  while (!isClosed() && !(await pruneUsageHours(store, now))) await pause(betweenTurns);
  while (!isClosed() && !(await pruneSignIn(store, now))) await pause(betweenTurns);
  if (keepAuditLog === undefined) return;
  const before = now - keepAuditLog * secondsPerDay;
  while (!isClosed() && !(await pruneAuditLog(store, before))) await pause(betweenTurns);
}

async function pruneTooMany(store: Store, keepMost: number, isClosed: () => boolean): Promise<void> {
  let kept = 0;
  for (let done = false; !isClosed() && !done; await pause(betweenTurns)) ({ kept, done } = await countKept(store));
  const reached: Reached = new Map();
  for (let tooMany = kept - keepMost, seen = 1; !isClosed() && tooMany > 0 && seen > 0; await pause(betweenTurns)) {
    const step = await pruneGreediest(store, tooMany, reached);
    seen = step.seen;
    tooMany -= step.pruned;
  }
}
