import { repeat } from '../../domain/time/repeat.ts';
import { createTimers, type Timers } from '../../domain/time/timers.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { queueWebhookFailing } from '../../outbox/queue-webhook-failing.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { checkTanks } from './check-tanks.ts';
import { createNotificationSender } from './create-notification-sender.ts';
import type { DeliveryAttemptsParts } from './delivery-attempts.ts';
import { pruneDeliveries } from './prune-deliveries.ts';

/** The part of the service that tells account holders what happens. */
export type Notifications = {
  /** A decision webhook is down. */
  webhookFailing(webhookId: string): void;
  close(): Promise<void>;
};

/** Begins to send what is queued, to look at the tanks once a minute, and to prune the log. */
export function startNotifications(
  parts: DeliveryAttemptsParts & { readonly chains: ReadonlyMap<number, ChainRuntime>; readonly timers?: Timers },
): Notifications {
  const { store, clock, logger, timers = createTimers(parts.clock) } = parts;
  let closed = false;
  const failed = (what: string) => (cause: unknown) => logger.error({ err: cause }, what);
  const sender = createNotificationSender({ ...parts, timers });
  const tanks = repeat(
    { clock, timers },
    notificationLimits.tankCheckMs,
    () => checkTanks(parts, () => closed),
    failed('The gas tanks could not be checked; trying again'),
  );
  const pruning = repeat(
    { clock, timers },
    notificationLimits.pruneMs,
    () => pruneDeliveries(store, unixSeconds(clock)),
    failed('The log of notifications could not be pruned; it is tried again'),
  );
  const noticing = new Set<Promise<void>>();
  return {
    webhookFailing(webhookId) {
      // Calls that the end of the service cuts off look like outages.
      if (closed) return;
      const notice = store
        .transaction((trx) => queueWebhookFailing(trx, webhookId, unixSeconds(clock)))
        .catch(failed('A failing webhook could not be told of'))
        .finally(() => noticing.delete(notice));
      noticing.add(notice);
    },
    async close() {
      closed = true;
      await Promise.all([tanks.close(), pruning.close(), ...noticing]);
      await sender.close();
    },
  };
}
