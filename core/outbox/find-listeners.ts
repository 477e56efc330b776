import type { Transaction } from 'kysely';
import { type NotificationEvent, notificationEvents } from '../domain/notification.ts';
import type { Database } from '../store/database.ts';

/** The active destinations of a paymaster that want to be told about an event. One query by index. */
export async function findListeners(
  transaction: Transaction<Database>,
  paymasterId: string,
  event: NotificationEvent,
): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('notifications')
    .select(['notification_id', 'events'])
    .where('paymaster_id', '=', paymasterId)
    .where('active', '=', 1)
    .execute();
  return rows.filter((row) => readEvents(row.events).includes(event)).map((row) => row.notification_id);
}

/** The events of a stored destination. */
export function readEvents(stored: string): readonly NotificationEvent[] {
  const texts: unknown = JSON.parse(stored);
  return Array.isArray(texts) ? notificationEvents.filter((event) => texts.includes(event)) : [];
}
