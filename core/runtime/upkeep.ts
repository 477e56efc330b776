import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../base/time/clock.ts';
import { withRests } from '../base/time/with-rests.ts';
import { countDecisions } from '../decisions/count-decisions.ts';
import { pruneAccounts, pruneEndedLimits, pruneUsage } from '../decisions/pruning/prune-counts.ts';
import {
  type DecisionRetention,
  pruneDecisions,
  pruneGreediest,
  pruneStubs,
  type Reached,
} from '../decisions/pruning/prune-decisions.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import { secondsPerDay } from '../domain/utc-days.ts';
import { type ArchivePlace, archiveTurn, daysAgo } from '../ledger/archiving/archive-ledger.ts';
import { checkAllLedgers } from '../ledger/checking/check-ledger.ts';
import type { RowSums } from '../ledger/checking/row-sums.ts';
import { forgetUnpaid } from '../ledger/holds/forget-unpaid.ts';
import { joinTankDays } from '../ledger/tanks/join-tank-days.ts';
import { pruneAuditLog } from '../management/audit-log/prune-audit-log.ts';
import { pruneSignIn } from '../management/sign-in/prune-sign-in.ts';
import { asLeader } from '../store/leading.ts';
import type { Store } from '../store/store.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';

/** What deletes records by their age. */
type AgeParts = {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Whether a chain agrees with this machine's clock. Otherwise nothing is deleted by its age: a clock that is days ahead would
   * have limits forget what they counted.
   */
  readonly isClockRight: () => boolean;
};
/** What runs again and again. */
type RepeatedParts = { readonly logger: Logger; readonly timers?: Timers };

/** Starts the background maintenance of the database: pruning, archiving, and reading the ledger again. */
export function startUpkeep(
  config: Pick<CoreConfig, 'decisions' | 'auditLog' | 'ledger'>,
  parts: AgeParts & RepeatedParts & { readonly rows: RowSums },
): { close(): Promise<void> } {
  const keepDays = config.ledger?.keepDays;
  const running = [
    startHousekeeping({ ...parts, keep: config.decisions, ...omitAbsent({ keepAuditLog: config.auditLog?.keepDays }) }),
    startRereadingLedger(parts),
    ...(keepDays === undefined ? [] : [startArchiving({ ...parts, keepDays })]),
  ];
  return { close: async () => void (await Promise.all(running.map((one) => one.close()))) };
}

/** Milliseconds between two rounds. */
const betweenRounds = 3_600_000;

type ArchivingParts = AgeParts & { readonly keepDays: number };

/**
 * Once an hour, while this process leads, archives ledger rows of operations that are older than `keepDays`: their sums are
 * kept. Works in small turns with rests. `close` waits for the current turn.
 */
function startArchiving(parts: ArchivingParts & RepeatedParts): Running {
  const { store, clock, logger, timers = createTimers(clock) } = parts;
  return whileLeading(store.leadership, () => {
    let closed = false;
    const rounds = repeat(
      { clock, timers },
      betweenRounds,
      () => archiveAll({ ...parts, store: asLeader(store) }, () => closed),
      (cause) => logger.error({ err: cause }, 'The ledger could not be archived; trying again'),
    );
    return {
      close: () => {
        closed = true;
        return rounds.close();
      },
    };
  });
}

/** Archives everything due now, or as much as time allows. */
export async function archiveAll(
  { store, clock, isClockRight, keepDays }: ArchivingParts,
  isClosed: () => boolean,
): Promise<void> {
  if (!isClockRight()) return;
  const before = daysAgo(clock, keepDays);
  let from: ArchivePlace | undefined;
  const turn = async () => {
    from = await archiveTurn(store, { from, before });
    return from === undefined;
  };
  await withRests(turn, isClosed);
}

/** Interval of checking whether a reading is due, in milliseconds. */
const betweenLooks = 3_600_000;

/**
 * While this process leads, reads every row of the ledger again at most a day and an hour after the last time, or an hour
 * after startup if there was no check before. So a row that was changed behind the service's back is found without anyone
 * asking. Inconsistencies are logged as errors.
 */
export function startRereadingLedger(parts: {
  readonly store: Store;
  readonly rows: RowSums;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): Running {
  const { store, clock, logger, timers = createTimers(clock) } = parts;
  return whileLeading(store.leadership, () =>
    repeat(
      { clock, timers },
      betweenLooks,
      () => readLedgers(parts),
      (cause) => logger.error({ err: cause }, 'The ledger could not be checked; trying again'),
    ),
  );
}

async function readLedgers({
  store,
  rows,
  clock,
  logger,
}: Pick<Parameters<typeof startRereadingLedger>[0], 'store' | 'rows' | 'clock' | 'logger'>): Promise<void> {
  const readAt = rows.readAt();
  if (readAt !== undefined && unixSeconds(clock) - readAt < secondsPerDay) return;
  await rows.readAgain();
  for (const fault of await checkAllLedgers(store, rows)) logger.error({ fault }, 'The ledger does not add up');
}

/** Milliseconds between two sweeps. */
const betweenSweeps = 60_000;

type HousekeepingParts = AgeParts & {
  readonly keep: DecisionRetention;
  /** Days that entries of the audit log are kept; forever when absent. */
  readonly keepAuditLog?: number;
};

type Options = HousekeepingParts & RepeatedParts;

/**
 * Once a minute, while this process leads, prunes expired decisions, leftovers of limits and tickets, ended sessions and
 * expired entries of the audit log, and joins old days of tanks to months, in small steps with rests. `close` waits for the current step.
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
export async function sweep(
  { store, clock, isClockRight, keep, keepAuditLog }: HousekeepingParts,
  isClosed: () => boolean,
): Promise<void> {
  const now = isClockRight() ? unixSeconds(clock) : undefined;
  // Before any is pruned: usage keeps what pruned decisions came to.
  await countAll(store, isClosed);
  await withRests(() => pruneEndedLimits(store), isClosed);
  // Whatever the clock: strangers sign in too, and one whose session ends early signs in again.
  await withRests(() => pruneSignIn(store, unixSeconds(clock)), isClosed);
  if (now === undefined) return pruneTooMany(store, keep.keepMost, isClosed);
  let after = 0;
  const pruneNext = async () => {
    const step = await pruneDecisions(store, { keepDays: keep.keepDays, now, after });
    after = step.after;
    return step.done;
  };
  await withRests(pruneNext, isClosed);
  await withRests(() => pruneStubs(store, now), isClosed);
  await pruneTooMany(store, keep.keepMost, isClosed);
  await withRests(() => forgetUnpaid(store, now), isClosed);
  await withRests(() => pruneAccounts(store, now), isClosed);
  await withRests(() => pruneUsage(store, now), isClosed);
  await withRests(() => joinTankDays(store, now), isClosed);
  if (keepAuditLog === undefined) return;
  const before = now - keepAuditLog * secondsPerDay;
  await withRests(() => pruneAuditLog(store, before), isClosed);
}

/** Returns how many counted decisions are kept. */
async function countAll(store: Store, isClosed: () => boolean): Promise<number> {
  let kept = 0;
  const count = async () => {
    const step = await countDecisions(store);
    kept = step.kept;
    return step.done;
  };
  await withRests(count, isClosed);
  return kept;
}

async function pruneTooMany(store: Store, keepMost: number, isClosed: () => boolean): Promise<void> {
  const reached: Reached = new Map();
  let tooMany = (await countAll(store, isClosed)) - keepMost;
  const pruneNext = async () => {
    if (tooMany <= 0) return true;
    const { seen, pruned } = await pruneGreediest(store, tooMany, reached);
    tooMany -= pruned;
    return seen === 0;
  };
  await withRests(pruneNext, isClosed);
}
