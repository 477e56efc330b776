import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type NotificationEvent, type NotificationType, notificationEvents } from '../domain/notification.ts';
import type { Database } from '../store/database.ts';
import { afterCommit } from '../store/inside-transaction.ts';
import { notifyOthers } from '../store/notices.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';

/** Bounds of notifications. Times in seconds unless the name says otherwise. */
export const notificationLimits = {
  /** Waits after failed attempts, in this order. After the last one the delivery has failed. */
  backoffSeconds: [5, 30, 120, 600, 3_600, 21_600],
  /** Most messages waiting for one destination; beyond it the oldest is dropped and marked `dropped`. */
  pendingPerDestination: 10_000,
  /** Most concurrent attempts, in total and to one destination. */
  attemptsAtOnce: 32,
  attemptsAtOnceToOne: 4,
  /** How long a destination that is down is paused: the first wait, doubled each time up to the last. */
  firstRestMs: 5_000,
  maxRestMs: 60_000,
  /** How long running attempts may continue when the service stops, in milliseconds. */
  drainMs: 3_000,
  /** Longest sleep without a check for due messages, in milliseconds. */
  maxSleepMs: 60_000,
  /** Time between two rounds over all gas tanks, and destinations read at once in a round. */
  tankCheckMs: 60_000,
  tankPage: 100,
  /** Least interval between notifications about one failing webhook. */
  webhookNoticeSeconds: 3_600,
  /** Age at which a delivery is deleted from the log, interval of that pruning, and most deletions in one transaction. */
  logSeconds: 30 * 86_400,
  pruneMs: 60_000,
  pruneBatch: 500,
} as const;

type Listener = () => void;

const listeners = new Set<Listener>();

/**
 * Calls `listener` whenever a message was queued and its transaction is committed. Returns a function that unsubscribes. All
 * stores of the process share this; an unneeded check costs one query.
 */
export function onQueued(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Wakes the senders. */
export function notifyQueued(): void {
  for (const listener of listeners) listener();
}

/** The content of a message. `data` is plain JSON with amounts as decimal text in wei, and contains no secret. */
type NotificationFact = {
  readonly type: NotificationType;
  readonly paymasterId: string;
  readonly chainId: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Writes a message for one destination in the caller's transaction: it is sent if, and only if, that commits. All attempts
 * send the same text.
 */
export async function queueDelivery(
  transaction: Transaction<Database>,
  notificationId: string,
  fact: NotificationFact,
  now: number,
): Promise<Selectable<Database['notification_deliveries']>> {
  const { type, paymasterId, chainId, data } = fact;
  await makeRoom(transaction, notificationId);
  const row = await transaction
    .insertInto('notification_deliveries')
    .values({
      delivery_id: randomUUID(),
      notification_id: notificationId,
      paymaster_id: paymasterId,
      type,
      payload: JSON.stringify({ type, notificationId, createdAt: now, paymasterId, chainId, data }),
      state: 'pending',
      attempts: 0,
      round: 1,
      round_attempts: 0,
      next_attempt_at: now,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  afterCommit(transaction, notifyQueued);
  await notifyOthers(transaction, 'queued');
  return row;
}

/** Drops the oldest waiting messages of a destination until one more may wait. */
export async function makeRoom(transaction: Transaction<Database>, notificationId: string): Promise<void> {
  const pending = transaction
    .selectFrom('notification_deliveries')
    .where('notification_id', '=', notificationId)
    .where('state', '=', sql.lit('pending'));
  const { waiting } = await pending.select((all) => all.fn.countAll<number>().as('waiting')).executeTakeFirstOrThrow();
  const tooMany = waiting + 1 - notificationLimits.pendingPerDestination;
  if (tooMany <= 0) return;
  await transaction
    .updateTable('notification_deliveries')
    .set({ state: 'dropped', next_attempt_at: null })
    .where('delivery_number', 'in', pending.select('delivery_number').orderBy('delivery_number').limit(tooMany))
    .execute();
}

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
