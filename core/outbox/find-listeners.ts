import type { Transaction } from 'kysely';
import { z } from 'zod';
import { type NotificationEvent, notificationEvents } from '../domain/notification.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { fixedStatement } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';

/** The active destinations of a paymaster that subscribe to an event. One indexed query. */
export async function findListeners(
  transaction: Transaction<Database>,
  paymasterId: string,
  event: NotificationEvent,
): Promise<readonly string[]> {
  const [rows] = await runTogether(transaction, activeOf({ paymasterId }));
  return rows.filter((row) => readEvents(row).includes(event)).map((row) => row.notification_id);
}

const activeOf = fixedStatement<{ readonly paymasterId: string }>()(({ db, value }) =>
  db
    .selectFrom('notifications')
    .select(['notification_id', 'events'])
    .where('paymaster_id', '=', value('paymasterId'))
    .where('active', '=', 1),
);

const EventsSchema = z.array(z.string());

/** The events of a stored destination that this version knows. */
export function readEvents(row: {
  readonly notification_id: string;
  readonly events: string;
}): readonly NotificationEvent[] {
  const names = readJsonColumn(EventsSchema, row.events, { table: 'notifications', id: row.notification_id });
  return notificationEvents.filter((event) => names.includes(event));
}
