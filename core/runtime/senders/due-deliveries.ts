import { type Kysely, sql } from 'kysely';
import type { NotificationTarget } from '../../domain/notification.ts';
import { notificationLimits } from '../../outbox/queue-delivery.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';

/** A message to send now. */
export type DueDelivery = {
  readonly deliveryId: string;
  readonly notificationId: string;
  /** Of the paymaster that the message is about. */
  readonly paymasterName: string;
  readonly target: NotificationTarget;
  /** Of a target other than `WEBHOOK` only the origin. */
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly payload: string;
  readonly round: number;
};

/** The outcome of one attempt. `problem` ends a sentence and contains no address and no secret. */
export type AttemptOutcome =
  | { readonly delivered: true; readonly status: number }
  /** `outage`: the destination was down rather than refusing. */
  | { readonly delivered: false; readonly status?: number; readonly problem: string; readonly outage: boolean };

/** The longest overdue messages, without the excluded destinations and deliveries. `now` in Unix seconds. */
export async function findDue(
  db: Kysely<Database>,
  look: { now: number; limit: number; withoutDestinations: readonly string[]; withoutDeliveries: readonly string[] },
): Promise<readonly DueDelivery[]> {
  const { texts } = dialectOf(db);
  const rows = await db
    .selectFrom('notification_deliveries as due')
    .innerJoin('notifications as to', 'to.notification_id', 'due.notification_id')
    .innerJoin('paymasters', 'paymasters.paymaster_id', 'to.paymaster_id')
    .select(['paymasters.name', 'to.target'])
    .select(['due.delivery_id', 'due.notification_id', 'due.payload', 'due.round', 'to.url', 'to.secret_sealed'])
    .where('due.state', '=', sql.lit('pending'))
    .where('due.next_attempt_at', '<=', look.now)
    .where('due.notification_id', 'not in', texts(look.withoutDestinations))
    .where('due.delivery_id', 'not in', texts(look.withoutDeliveries))
    .orderBy('due.next_attempt_at')
    .orderBy('due.delivery_number')
    .limit(look.limit)
    .execute();
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    notificationId: row.notification_id,
    paymasterName: row.name,
    target: row.target,
    url: row.url,
    secretSealed: row.secret_sealed,
    payload: row.payload,
    round: row.round,
  }));
}

/** When the next message becomes due, in Unix seconds. */
export async function findNextDue(db: Kysely<Database>, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('notification_deliveries')
    .select('next_attempt_at')
    .where('state', '=', sql.lit('pending'))
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at ?? undefined;
}

/**
 * Records the outcome of an attempt: delivered, to be retried, or given up. Changes nothing if the delivery was dropped,
 * deleted or requested again meanwhile.
 */
export async function recordAttempt(
  store: Store,
  due: DueDelivery,
  outcome: AttemptOutcome,
  now: number,
): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await trx
      .selectFrom('notification_deliveries')
      .select(['attempts', 'round_attempts', 'next_attempt_at'])
      .where('delivery_id', '=', due.deliveryId)
      .where('state', '=', 'pending')
      .where('round', '=', due.round)
      .executeTakeFirst();
    if (row === undefined) return;
    const wait = notificationLimits.backoffSeconds[row.round_attempts];
    const retried = !outcome.delivered && wait !== undefined;
    await trx
      .updateTable('notification_deliveries')
      .set({
        state: outcome.delivered ? 'delivered' : retried ? 'pending' : 'failed',
        attempts: row.attempts + 1,
        round_attempts: row.round_attempts + 1,
        // null: the destination was made inactive during the attempt; the delivery waits for it.
        next_attempt_at: retried && row.next_attempt_at !== null ? now + wait : null,
        last_attempt_at: now,
        last_status: outcome.status ?? null,
        last_problem: outcome.delivered ? null : outcome.problem,
      })
      .where('delivery_id', '=', due.deliveryId)
      .execute();
  });
}
