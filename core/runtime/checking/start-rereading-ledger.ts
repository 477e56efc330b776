import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../../base/time/timers.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { checkAllLedgers } from '../../ledger/checking/check-all-ledgers.ts';
import type { RowSums } from '../../ledger/checking/row-sums.ts';
import type { Store } from '../../store/store.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';

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
