import type { Owned } from '../../domain/access/actor.ts';
import type { Notification } from '../../domain/notification.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { findOwnNotification, notificationNotFound, toNotification } from './stored-notification.ts';

/**
 * Deletes a destination. Its log may be long, so it is deleted first, in transactions too short to block others, while the
 * destination is inactive and gets no new messages. If the service stops meanwhile, the destination stays inactive.
 */
export async function deleteNotification(
  store: Store,
  input: Owned & { notificationId: string },
): Promise<Result<Notification>> {
  const { notificationId } = input;
  const found = await store.transaction(async (trx) => {
    if (!(await ownsPaymaster(trx, input))) return paymasterNotFound;
    const row = await findOwnNotification(trx, input);
    if (row === undefined) return notificationNotFound;
    await trx.updateTable('notifications').set({ active: 0 }).where('notification_id', '=', notificationId).execute();
    return accept(toNotification(row));
  });
  if (!found.ok) return found;
  let removed: number = notificationLimits.pruneBatch;
  while (removed === notificationLimits.pruneBatch) removed = await deleteLogPart(store, notificationId);
  await store.transaction((trx) =>
    trx.deleteFrom('notifications').where('notification_id', '=', notificationId).execute(),
  );
  return found;
}

async function deleteLogPart(store: Store, notificationId: string): Promise<number> {
  const { numDeletedRows } = await store.transaction((trx) =>
    trx
      .deleteFrom('notification_deliveries')
      .where('delivery_number', 'in', (of) =>
        of
          .selectFrom('notification_deliveries')
          .select('delivery_number')
          .where('notification_id', '=', notificationId)
          .limit(notificationLimits.pruneBatch),
      )
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
