import type { Transaction } from 'kysely';
import { z } from 'zod';
import { type NotificationEvent, notificationEvents } from '../domain/notification.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';

type Destinations = readonly RowOf<typeof activeOf>[];

/** Active destinations by paymaster, as a transaction read them first: settling a block asks for each operation. */
const readBy = new WeakMap<Transaction<Database>, Map<string, Destinations>>();

/** The active destinations of a paymaster that subscribe to an event. One indexed query per transaction. */
export async function findListeners(
  transaction: Transaction<Database>,
  paymasterId: string,
  event: NotificationEvent,
): Promise<readonly string[]> {
  return (await readActive(transaction, paymasterId))
    .filter((row) => readEvents(row).includes(event))
    .map((row) => row.notification_id);
}

async function readActive(transaction: Transaction<Database>, paymasterId: string): Promise<Destinations> {
  const read = readBy.get(transaction) ?? new Map<string, Destinations>();
  readBy.set(transaction, read);
  const known = read.get(paymasterId);
  if (known !== undefined) return known;
  const [rows] = await runTogether(transaction, activeOf({ paymasterId }));
  read.set(paymasterId, rows);
  return rows;
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
