import type { Core } from '../../domain/core.ts';
import { accept } from '../../domain/result/result.ts';
import { sealIn } from '../../store/master-keys/seal-in.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { generateWebhookSecret } from '../../webhooks/sign-webhook.ts';
import { findOwnNotification, notificationNotFound, notificationSecretBinding } from './stored-notification.ts';

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
      return accept({ secret: box.open(row.secret_sealed, notificationSecretBinding(input.notificationId)) });
    },

    async rotateNotificationSecret(input) {
      const secret = generateWebhookSecret();
      return store.transaction(async (trx) => {
        if (!(await ownsPaymaster(trx, input))) return paymasterNotFound;
        if ((await findOwnNotification(trx, input)) === undefined) return notificationNotFound;
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
