import type { Core } from '../domain/core.ts';
import { accept, invalidField } from '../domain/result/result.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { sealIn } from '../store/master-keys/adopt-master-key.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { generateWebhookSecret, webhookSecretBinding } from '../webhooks/sign-webhook.ts';
import {
  findOwnNotification,
  notificationNotFound,
  notificationSecretBinding,
} from './notifications/stored-notification.ts';
import { changeOwnPaymaster } from './paymasters/change-own-paymaster.ts';
import { webhookNotFound } from './webhooks/manage-webhooks.ts';

/** The operations of `Core` on the secrets that sign callbacks. A rotated secret applies at once. */
export function manageWebhookSecrets(parts: {
  store: Store;
  profiles: SponsorProfiles;
  box: SecretBox;
}): Pick<Core, 'readWebhookSecret' | 'rotateWebhookSecret'> {
  const { store, box } = parts;
  return {
    async readWebhookSecret(input) {
      if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
      const row = await store.db
        .selectFrom('webhooks')
        .select('secret_sealed')
        .where('paymaster_id', '=', ownPaymasterId(store.db, input))
        .where('webhook_id', '=', input.webhookId)
        .executeTakeFirst();
      if (row === undefined) return webhookNotFound;
      return accept({ secret: box.open(row.secret_sealed, webhookSecretBinding(input.webhookId)) });
    },

    async rotateWebhookSecret(input) {
      const secret = generateWebhookSecret();
      return changeOwnPaymaster(parts, input, async (trx) => {
        const boundTo = webhookSecretBinding(input.webhookId);
        const row = await trx
          .updateTable('webhooks')
          .set({ secret_sealed: await sealIn(trx, box, { text: secret, boundTo }) })
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .where('webhook_id', '=', input.webhookId)
          .returning('webhook_id')
          .executeTakeFirst();
        return row === undefined ? webhookNotFound : accept({ secret });
      });
    },
  };
}

const signsNothing = invalidField('notificationId', 'must be of the target WEBHOOK: messages to others are not signed');

/** The operations of `Core` on the secrets that sign messages. A rotated secret applies from the next attempt on. */
export function manageNotificationSecrets(parts: {
  store: Store;
  box: SecretBox;
}): Pick<Core, 'readNotificationSecret' | 'rotateNotificationSecret'> {
  const { store, box } = parts;
  return {
    async readNotificationSecret(input) {
      if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
      const row = await findOwnNotification(store.db, input);
      if (row === undefined) return notificationNotFound;
      if (row.target !== 'WEBHOOK') return signsNothing;
      return accept({ secret: box.open(row.secret_sealed, notificationSecretBinding(input.notificationId)) });
    },

    async rotateNotificationSecret(input) {
      const secret = generateWebhookSecret();
      return store.transaction(async (trx) => {
        if (!(await ownsPaymaster(trx, input))) return paymasterNotFound;
        const row = await findOwnNotification(trx, input);
        if (row === undefined) return notificationNotFound;
        if (row.target !== 'WEBHOOK') return signsNothing;
        const boundTo = notificationSecretBinding(input.notificationId);
        await trx
          .updateTable('notifications')
          .set({ secret_sealed: await sealIn(trx, box, { text: secret, boundTo }) })
          .where('notification_id', '=', input.notificationId)
          .execute();
        return accept({ secret });
      });
    },
  };
}
