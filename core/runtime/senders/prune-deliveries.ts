import { notificationLimits } from '../../outbox/notification-limits.ts';
import type { Store } from '../../store/store.ts';

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
