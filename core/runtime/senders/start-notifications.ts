import { createTimers, repeat, type Timers, unixSeconds } from '../../base/time/clock.ts';
import { notificationLimits, onQueued } from '../../outbox/queue-delivery.ts';
import { queueWebhookFailing } from '../../outbox/queue-webhook-failing.ts';
import type { ChainRuntime } from '../../sponsorship/run/sponsorship-parts.ts';
import { asLeader } from '../../store/leading.ts';
import type { Store } from '../../store/store.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';
import { checkTanks } from './check-tanks.ts';
import { createDeliveryAttempts, type DeliveryAttemptsParts } from './delivery-attempts.ts';
import { findDue, findNextDue } from './due-deliveries.ts';

type Parts = DeliveryAttemptsParts & {
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly timers?: Timers;
};

/** The part of the service that notifies account holders. */
type Notifications = {
  /** A decision webhook is down. */
  webhookFailing(webhookId: string): void;
  close(): Promise<void>;
};

/** Queues notifications in every process; while this one leads, also sends them and checks the tanks. */
export function startNotifications(parts: Parts): Notifications {
  const { store, clock } = parts;
  let closed = false;
  const sending = whileLeading(store.leadership, () => startSending({ ...parts, store: asLeader(store) }));
  const noticing = new Set<Promise<void>>();
  return {
    webhookFailing(webhookId) {
      // Calls aborted by shutdown look like outages.
      if (closed) return;
      const notice = store
        .transaction((trx) => queueWebhookFailing(trx, webhookId, unixSeconds(clock)))
        .catch(failed(parts, 'No notification about a failing webhook could be queued'))
        .finally(() => noticing.delete(notice));
      noticing.add(notice);
    },
    async close() {
      closed = true;
      await Promise.all(noticing);
      await sending.close();
    },
  };
}

/** Starts sending queued messages, checking the tanks once a minute, and pruning the log. */
function startSending(parts: Parts): Running {
  const { store, clock, timers = createTimers(parts.clock) } = parts;
  let closed = false;
  const sender = createNotificationSender({ ...parts, timers });
  const tanks = repeat(
    { clock, timers },
    notificationLimits.tankCheckMs,
    () => checkTanks(parts, () => closed),
    failed(parts, 'The gas tanks could not be checked; trying again'),
  );
  const pruning = repeat(
    { clock, timers },
    notificationLimits.pruneMs,
    () => pruneDeliveries(store, unixSeconds(clock)),
    failed(parts, 'The log of notifications could not be pruned; trying again'),
  );
  return {
    close: async () => {
      closed = true;
      await Promise.all([tanks.close(), pruning.close()]);
      await sender.close();
    },
  };
}

function failed({ logger }: Parts, what: string): (cause: unknown) => void {
  return (cause) => logger.error({ err: cause }, what);
}

/**
 * Deletes log entries older than 30 days, in any state, in transactions too short to block others. Deliveries are numbered
 * in queueing order, so the oldest are found without reading the rest.
 */
export async function pruneDeliveries(store: Store, now: number): Promise<void> {
  let removed: number = notificationLimits.pruneBatch;
  while (removed === notificationLimits.pruneBatch) {
    const { numDeletedRows } = await store.transaction((trx) =>
      trx
        .deleteFrom('notification_deliveries')
        .where('delivery_number', 'in', (of) =>
          of
            .selectFrom('notification_deliveries')
            .select('delivery_number')
            .orderBy('delivery_number')
            .limit(notificationLimits.pruneBatch),
        )
        .where('created_at', '<', now - notificationLimits.logSeconds)
        .executeTakeFirst(),
    );
    removed = Number(numDeletedRows);
  }
}

/**
 * Sends pending messages of the store, at least once each: an attempt counts once it is recorded, so attempts that a crash
 * left unrecorded are made again. Wakes when any process queues a message and when one becomes due. `close` lets running
 * attempts finish briefly, then aborts them; they are made again after the next start.
 *
 * @throws Error when a range in `config.allowedRanges` is not CIDR notation.
 */
export function createNotificationSender(parts: DeliveryAttemptsParts & { readonly timers: Timers }): {
  close(): Promise<void>;
} {
  const { store, clock, timers, logger } = parts;
  const bell = createBell(timers);
  const attempts = createDeliveryAttempts(parts, bell.ring);
  let stopping = false;

  /** Starts due messages that can be started; returns until when there is nothing more to do, in Unix milliseconds. */
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

  /** When there will be more to do than at `moment`. */
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

/** An event that others signal and one waits for. */
type Bell = {
  ring(): void;
  /** Resolves at a time in Unix milliseconds, or when signaled; at once if signaled since the last wait. */
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
