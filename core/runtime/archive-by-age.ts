import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../base/time/timers.ts';
import { archiveTurn, daysAgo } from '../ledger/archiving/archive-ledger.ts';
import type { ArchivePlace } from '../ledger/archiving/read-batch.ts';
import { asLeader } from '../store/leading/as-leader.ts';
import type { Store } from '../store/store.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';

/** Milliseconds between two rounds. */
const betweenRounds = 3_600_000;
/** Pause between two turns of a round, in milliseconds, to leave the database to others. */
const betweenTurns = 50;

type Parts = { readonly store: Store; readonly clock: Clock; readonly keepDays: number };

/**
 * Once an hour, while this process leads, archives ledger rows of operations that are older than `keepDays`: their sums are
 * kept. Works in small turns with pauses. `close` waits for the current turn.
 */
export function startArchiving(parts: Parts & { readonly logger: Logger; readonly timers?: Timers }): Running {
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
export async function archiveAll({ store, clock, keepDays }: Parts, isClosed: () => boolean): Promise<void> {
  const before = daysAgo(clock, keepDays);
  let from: ArchivePlace | undefined;
  do {
    from = await archiveTurn(store, { from, before });
    if (from !== undefined) await pause(betweenTurns);
  } while (from !== undefined && !isClosed());
}
