import { randomUUID } from 'node:crypto';
import { maxNotifications, maxTankLowDays, maxTankLowWei } from '@tollfree/contract/limits';
import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core, Input } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import {
  type Notification,
  type NotificationEvent,
  notificationEvents,
  type TankLowRule,
} from '../../domain/notification.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { notificationLimits, notifyQueued } from '../../outbox/queue-delivery.ts';
import type { Database } from '../../store/database.ts';
import { afterCommit } from '../../store/inside-transaction.ts';
import { sealIn } from '../../store/master-keys/adopt-master-key.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { checkWebhookUrl } from '../../webhooks/resolve-host.ts';
import { generateWebhookSecret } from '../../webhooks/sign-webhook.ts';
import { readDestination } from './read-destination.ts';
import {
  findOwnNotification,
  notificationNotFound,
  notificationSecretBinding,
  tankLowColumns,
  toNotification,
} from './stored-notification.ts';

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: WebhookConfig;
  readonly box: SecretBox;
};

/** The operations of `Core` on the destinations of notifications. Their URLs must pass the checks of webhook URLs. */
export function manageNotifications(
  parts: Parts,
): Pick<Core, 'createNotification' | 'listNotifications' | 'updateNotification' | 'deleteNotification'> {
  const { store } = parts;
  return {
    createNotification: (input) => createNotification(parts, input),
    async listNotifications(input) {
      if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
      const rows = await store.db
        .selectFrom('notifications')
        .selectAll()
        .where('paymaster_id', '=', ownPaymasterId(store.db, input))
        .orderBy('notification_number')
        .execute();
      return accept(rows.map(toNotification));
    },
    updateNotification: (input) => updateNotification(parts, input),
    deleteNotification: (input) => deleteNotification(store, input),
  };
}

async function createNotification(parts: Parts, input: Input<'createNotification'>): Promise<Result<Notification>> {
  const { tankLow } = input;
  const destination = readDestination(input);
  if (!destination.ok) return destination;
  const { target, url, address, recipient } = destination.value;
  const verdict = await checkWebhookUrl(url, parts.config);
  if (verdict === 'not-a-url') return invalidField('url', 'must be a valid URL');
  const events = checkEvents(input.events);
  if (!events.ok) return events;
  const mistake = (tankLow && checkTankLow(tankLow)) ?? checkTankLowIsSet(events.value, tankLow);
  if (mistake !== undefined) return mistake;
  if (verdict === 'not-reachable') return urlNotReachable();
  const notificationId = randomUUID();
  return parts.store.transaction(async (trx) => {
    if (!(await ownsPaymaster(trx, input))) return paymasterNotFound;
    const registered = await trx
      .selectFrom('notifications')
      .select('notification_id')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .execute();
    if (registered.length >= maxNotifications) return tooManyNotifications();
    const text = address === undefined ? generateWebhookSecret() : JSON.stringify(address);
    const secret = { text, boundTo: notificationSecretBinding(notificationId) };
    const row = await trx
      .insertInto('notifications')
      .values({
        notification_id: notificationId,
        paymaster_id: input.paymasterId,
        target,
        url: address === undefined ? url : new URL(url).origin,
        recipient: recipient ?? null,
        events: JSON.stringify(events.value),
        ...tankLowColumns(tankLow ?? {}),
        active: 1,
        secret_sealed: await sealIn(trx, parts.box, secret),
        created_at: unixSeconds(parts.clock),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return accept(toNotification(row));
  });
}

function urlNotReachable(): ReturnType<typeof refuse> {
  const message = 'url cannot be reached by the service';
  return refuse({ reason: 'NOTIFICATION_URL_NOT_REACHABLE', message, field: 'url' });
}

function tooManyNotifications(): ReturnType<typeof refuse> {
  const message = `A paymaster can have at most ${maxNotifications} notifications`;
  return refuse({ reason: 'TOO_MANY_NOTIFICATIONS', message });
}

/**
 * Deletes a destination. Its log may be long, so it is deleted first, in transactions too short to block others, while the
 * destination is inactive and gets no new messages. If the service stops meanwhile, the destination stays inactive.
 */
async function deleteNotification(store: Store, input: Input<'deleteNotification'>): Promise<Result<Notification>> {
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

/**
 * Changes the given fields of a destination. If it becomes inactive its messages wait, and are sent at once when it is
 * active again.
 */
async function updateNotification(
  { store, clock }: { store: Store; clock: Clock },
  input: Input<'updateNotification'>,
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

/** The events, without duplicates and in their fixed order. */
function checkEvents(events: readonly string[]): Result<readonly NotificationEvent[]> {
  const known = notificationEvents.filter((event) => events.includes(event));
  if (known.length === 0 || !events.every((event) => known.some((one) => one === event))) {
    return invalidField('events', `must be one or more of ${notificationEvents.join(', ')}`);
  }
  return accept(known);
}

/** Undefined when the rule is valid. */
function checkTankLow(rule: TankLowRule): ReturnType<typeof invalidField> | undefined {
  const { thresholdWei, daysLeft } = rule;
  if (thresholdWei === undefined && daysLeft === undefined) {
    return invalidField('tankLow', 'must have thresholdWei or daysLeft');
  }
  if (thresholdWei !== undefined && (thresholdWei <= 0n || thresholdWei > maxTankLowWei)) {
    return invalidField('thresholdWei', `must be from 1 to ${maxTankLowWei} wei`);
  }
  if (daysLeft !== undefined && !(Number.isInteger(daysLeft) && daysLeft > 0 && daysLeft <= maxTankLowDays)) {
    return invalidField('daysLeft', `must be a whole number from 1 to ${maxTankLowDays}`);
  }
  return undefined;
}

/** Undefined unless `tank.low` is subscribed without a threshold. */
function checkTankLowIsSet(
  events: readonly NotificationEvent[],
  rule: TankLowRule | undefined,
): ReturnType<typeof invalidField> | undefined {
  return events.includes('tank.low') && rule === undefined
    ? invalidField('tankLow', 'must be set for tank.low')
    : undefined;
}
