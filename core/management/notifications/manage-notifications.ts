import { randomUUID } from 'node:crypto';
import { maxNotifications } from '@tollfree/contract/limits';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import type { Notification } from '../../domain/notification.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { sealIn } from '../../store/master-keys/seal-in.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { checkWebhookUrl } from '../../webhooks/check-webhook-url.ts';
import { generateWebhookSecret } from '../../webhooks/sign-webhook.ts';
import { checkEvents, checkTankLow, checkTankLowIsSet } from './check-notification-fields.ts';
import { deleteNotification } from './delete-notification.ts';
import { notificationSecretBinding } from './notification-secret.ts';
import { tankLowColumns, toNotification } from './stored-notification.ts';
import { updateNotification } from './update-notification.ts';

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

async function createNotification(
  parts: Parts,
  input: Parameters<Core['createNotification']>[0],
): Promise<Result<Notification>> {
  const { url, tankLow } = input;
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
    const secret = { text: generateWebhookSecret(), boundTo: notificationSecretBinding(notificationId) };
    const row = await trx
      .insertInto('notifications')
      .values({
        notification_id: notificationId,
        paymaster_id: input.paymasterId,
        url,
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
