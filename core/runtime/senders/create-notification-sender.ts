import type { Timers } from '../../base/time/timers.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { onQueued } from '../../outbox/queue-delivery.ts';
import { createDeliveryAttempts, type DeliveryAttemptsParts } from './delivery-attempts.ts';
import { findDue, findNextDue } from './due-deliveries.ts';

/**
 * Sends what is pending in the store, at least once each: an attempt counts when it is written down, and what a crash
 * leaves unwritten is attempted again. Looks when something is queued, by whichever process, and when something becomes due,
 * and sleeps else.
 * `close` lets attempts under way end for a moment and then cuts them; those are made again after the next start.
 *
 * @throws Error when `config.allowedRanges` holds something that is not CIDR notation.
 */
export function createNotificationSender(parts: DeliveryAttemptsParts & { readonly timers: Timers }): {
  close(): Promise<void>;
} {
  const { store, clock, timers, logger } = parts;
  const bell = createBell(timers);
  const attempts = createDeliveryAttempts(parts, bell.ring);
  let stopping = false;

  /** Starts what is due and can be started; tells until when there is nothing more to do, in Unix milliseconds. */
  async function startDue(): Promise<number> {
    while (!stopping) {
      const underWay = attempts.underWay();
      const limit = notificationLimits.attemptsAtOnce - underWay.length;
      if (limit <= 0) break;
      const now = clock.now();
      const due = await findDue(store.db, {
        now: Math.floor(now / 1_000),
        limit,
        withoutDestinations: attempts.lanes.busy(now),
        withoutDeliveries: underWay,
      });
      if (due.length === 0 || stopping) return nextTime(now);
      for (const delivery of due) attempts.start(delivery);
    }
    return clock.now() + notificationLimits.maxSleepMs;
  }

  /** When there is more to do than there was at `moment`. */
  async function nextTime(moment: number): Promise<number> {
    const due = await findNextDue(store.db, Math.floor(moment / 1_000));
    const restEnd = attempts.lanes.nextRestEnd(moment);
    const latest = moment + notificationLimits.maxSleepMs;
    return Math.min(due === undefined ? latest : due * 1_000, restEnd ?? latest, latest);
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const until = await startDue().catch((error: unknown) => {
        logger.error({ err: error }, 'Notifications could not be read; trying again');
        return clock.now() + notificationLimits.firstRestMs;
      });
      await bell.wait(until);
    }
  }

  const unlisten = onQueued(bell.ring);
  const unhear = store.hear((notice) => {
    if (notice === undefined || notice === 'queued') bell.ring();
  });
  const running = run();
  return {
    async close() {
      stopping = true;
      unlisten();
      unhear();
      bell.ring();
      await running;
      await attempts.close();
    },
  };
}

/** Something to wait for, that others ring. */
type Bell = {
  ring(): void;
  /** Resolves at a time in Unix milliseconds, or when it rings; at once when it has rung since the last wait. */
  wait(until: number): Promise<void>;
};

function createBell(timers: Timers): Bell {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait(until) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const stop = timers.at(until, resolve);
          answer = () => {
            stop();
            resolve();
          };
        });
        answer = undefined;
      }
      rung = false;
    },
  };
}
