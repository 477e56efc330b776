import { unixSeconds } from '../../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../../base/time/timers.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { queueWebhookFailing } from '../../outbox/queue-webhook-failing.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { asLeader } from '../../store/leading/as-leader.ts';
import type { Store } from '../../store/store.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';
import { checkTanks } from './check-tanks.ts';
import { createNotificationSender } from './create-notification-sender.ts';
import type { DeliveryAttemptsParts } from './delivery-attempts.ts';

type Parts = DeliveryAttemptsParts & {
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly timers?: Timers;
};

/** The part of the service that tells account holders what happens. */
type Notifications = {
  /** A decision webhook is down. */
  webhookFailing(webhookId: string): void;
  close(): Promise<void>;
};

/** Tells them, whichever process heard of it, and while this one leads sends what is queued and looks at the tanks. */
export function startNotifications(parts: Parts): Notifications {
  const { store, clock } = parts;
  let closed = false;
  const sending = whileLeading(store.leadership, () => startSending({ ...parts, store: asLeader(store) }));
  const noticing = new Set<Promise<void>>();
  return {
    webhookFailing(webhookId) {
      // Calls that the end of the service cuts off look like outages.
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

/** Begins to send what is queued, to look at the tanks once a minute, and to prune the log. */
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
 * Takes what is older than 30 days out of the log, whatever became of it, in transactions that keep no one waiting.
 * Deliveries are numbered in the order they were queued, so the oldest are found without reading the rest.
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
