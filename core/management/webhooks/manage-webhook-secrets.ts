import type { Core } from '../../domain/core.ts';
import { accept } from '../../domain/result/result.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { sealIn } from '../../store/master-keys/seal-in.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { generateWebhookSecret, webhookSecretBinding } from '../../webhooks/sign-webhook.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { webhookNotFound } from './manage-webhooks.ts';

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
