import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import type { Notification } from '../../domain/notification.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { notifyQueued } from '../../outbox/queue-delivery.ts';
import type { Database } from '../../store/database.ts';
import { afterCommit } from '../../store/inside-transaction.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { checkEvents, checkTankLow, checkTankLowIsSet } from './check-notification-fields.ts';
import { findOwnNotification, notificationNotFound, tankLowColumns, toNotification } from './stored-notification.ts';

/**
 * Changes the given fields of a destination. If it becomes inactive its messages wait, and are sent at once when it is
 * active again.
 */
export async function updateNotification(
  { store, clock }: { store: Store; clock: Clock },
  input: Parameters<Core['updateNotification']>[0],
): Promise<Result<Notification>> {
  const { notificationId, active, tankLow } = input;
  const given = input.events === undefined ? undefined : checkEvents(input.events);
  if (given?.ok === false) return given;
  const mistake = tankLow && checkTankLow(tankLow);
  if (mistake !== undefined) return mistake;
  return store.transaction(async (trx) => {
    if (!(await ownsPaymaster(trx, input))) return paymasterNotFound;
    const row = await findOwnNotification(trx, input);
    if (row === undefined) return notificationNotFound;
    const before = toNotification(row);
    const unset = checkTankLowIsSet(given?.value ?? before.events, tankLow ?? before.tankLow);
    if (unset !== undefined) return unset;
    const changed = await trx
      .updateTable('notifications')
      .set({
        active: (active ?? before.active) ? 1 : 0,
        events: JSON.stringify(given?.value ?? before.events),
        ...(tankLow === undefined ? {} : tankLowColumns(tankLow)),
      })
      .where('notification_id', '=', notificationId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (active !== undefined && active !== before.active) {
      await moveWaiting(trx, notificationId, active ? unixSeconds(clock) : null);
    }
    return accept(toNotification(changed));
  });
}

/** Sets when the waiting messages of a destination are sent next; null pauses them. */
async function moveWaiting(trx: Transaction<Database>, notificationId: string, at: number | null): Promise<void> {
  await trx
    .updateTable('notification_deliveries')
    .set({ next_attempt_at: at })
    .where('notification_id', '=', notificationId)
    .where('state', '=', sql.lit('pending'))
    .execute();
  afterCommit(trx, notifyQueued);
}
