import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Selectable } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import type { Notification, NotificationDelivery, TankLowRule } from '../../domain/notification.ts';
import { refuse } from '../../domain/result/result.ts';
import { readEvents } from '../../outbox/queue-delivery.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId } from '../../store/own-paymaster.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { notificationFacts } from '../audit-log/row-facts.ts';

/** One refusal for another account's destination or delivery and for a missing one. */
export const notificationNotFound = refuse({ reason: 'NOTIFICATION_NOT_FOUND', message: 'Notification not found' });

/** The destination with this id if the account owns its paymaster. */
export function findOwnNotification(db: Kysely<Database>, owned: Owned & { notificationId: string }) {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .where('notification_id', '=', owned.notificationId)
    .executeTakeFirst();
}

/** A rule in stored form. A new one is armed: it has notified no one yet. */
export function tankLowColumns({ thresholdWei, daysLeft }: TankLowRule) {
  return {
    tank_low_wei: thresholdWei === undefined ? null : toWeiText(thresholdWei),
    tank_low_days: daysLeft ?? null,
    tank_is_low: 0,
  } as const;
}

export function readTankLow(
  row: Pick<Selectable<Database['notifications']>, 'tank_low_wei' | 'tank_low_days'>,
): TankLowRule | undefined {
  if (row.tank_low_wei === null && row.tank_low_days === null) return undefined;
  return {
    ...(row.tank_low_wei === null ? {} : { thresholdWei: fromWeiText(row.tank_low_wei) }),
    ...(row.tank_low_days === null ? {} : { daysLeft: row.tank_low_days }),
  };
}

export function toNotification(row: Selectable<Database['notifications']>): Notification {
  const tankLow = readTankLow(row);
  return {
    notificationId: row.notification_id,
    target: row.target,
    url: row.url,
    ...omitAbsent({ recipient: row.recipient ?? undefined }),
    events: readEvents(row),
    ...omitAbsent({ tankLow }),
    active: row.active === 1,
    etag: etagOf('notification', notificationFacts(row)),
  };
}

export function toDelivery(row: Selectable<Database['notification_deliveries']>): NotificationDelivery {
  return {
    deliveryId: row.delivery_id,
    notificationId: row.notification_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    ...(row.last_attempt_at === null ? {} : { lastAttemptAt: row.last_attempt_at }),
    ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
    ...(row.last_problem === null ? {} : { lastProblem: row.last_problem }),
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
  };
}

/** Binds a sealed secret to its row. */
export function notificationSecretBinding(notificationId: string): string {
  return `notifications/${notificationId}/secret`;
}
