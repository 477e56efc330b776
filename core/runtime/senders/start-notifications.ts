import { createTimers, repeat, type Timers, unixSeconds } from '../../base/time/clock.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { queueWebhookFailing } from '../../outbox/queue-webhook-failing.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { asLeader } from '../../store/leading.ts';
import type { Store } from '../../store/store.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';
import { checkTanks } from './check-tanks.ts';
import { createNotificationSender } from './create-notification-sender.ts';
import type { DeliveryAttemptsParts } from './delivery-attempts.ts';

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
