import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Core, Owned } from '../core.ts';
import type { WebhookConfig } from '../core-config.ts';
import type { Clock } from '../domain/clock.ts';
import { invalidField } from '../domain/invalid-field.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import { unixSeconds } from '../domain/unix-seconds.ts';
import type { Webhook } from '../domain/webhook.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../paymasters/own-paymaster.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import { generateWebhookSecret, webhookSecretBinding } from './webhook-secret.ts';

export const maxWebhooksPerPaymaster = 20;

export const webhookNotFound = refuse({ reason: 'WEBHOOK_NOT_FOUND', message: 'Webhook not found' });

/** The webhook operations of `Core` (interface 4.1). */
export function manageWebhooks(parts: {
  store: Store;
  clock: Clock;
  profiles: SponsorProfiles;
  config: WebhookConfig;
  box: SecretBox;
}): Pick<Core, 'createWebhook' | 'listWebhooks' | 'updateWebhook' | 'deleteWebhook'> {
  const { store, clock, profiles, config, box } = parts;

  /** Runs a change and, once it is committed, makes sponsorships see it. */
  async function change(
    owned: Owned,
    work: (trx: Transaction<Database>) => Promise<Result<Webhook>>,
  ): Promise<Result<Webhook>> {
    const result = await store.transaction(async (trx) =>
      (await ownsPaymaster(trx, owned)) ? work(trx) : paymasterNotFound,
    );
    if (result.ok) profiles.forget(owned.paymasterId);
    return result;
  }

  return {
    async createWebhook(input) {
      const { webhookUrl, requestType } = input;
      const verdict = await checkWebhookUrl(webhookUrl, config);
      if (verdict === 'not-a-url') return invalidField('webhookUrl', 'must be a valid URL');
      if (requestType !== 'GET' && requestType !== 'POST') return invalidField('requestType', 'must be GET or POST');
      if (verdict === 'not-reachable') return webhookUrlNotReachable();
      const webhookId = randomUUID();
      return change(input, async (trx) => {
        const { count } = await trx
          .selectFrom('webhooks')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .executeTakeFirstOrThrow();
        if (Number(count) >= maxWebhooksPerPaymaster) return tooManyWebhooks();
        const row = await trx
          .insertInto('webhooks')
          .values({
            webhook_id: webhookId,
            paymaster_id: input.paymasterId,
            webhook_url: webhookUrl,
            request_type: requestType,
            active: 1,
            secret_sealed: box.seal(generateWebhookSecret(), webhookSecretBinding(webhookId)),
            created_at: unixSeconds(clock),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return accept(toWebhook(row));
      });
    },

    async listWebhooks(input) {
      if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
      const { webhookId } = input;
      const rows = await store.db
        .selectFrom('webhooks')
        .selectAll()
        .where('paymaster_id', '=', ownPaymasterId(store.db, input))
        .$if(webhookId !== undefined, (query) => query.where('webhook_id', '=', webhookId ?? ''))
        .orderBy('webhook_number')
        .execute();
      return accept(rows.map(toWebhook));
    },

    async updateWebhook(input) {
      return change(input, async (trx) => {
        const row = await trx
          .updateTable('webhooks')
          .set({ active: input.active ? 1 : 0 })
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .where('webhook_id', '=', input.webhookId)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? webhookNotFound : accept(toWebhook(row));
      });
    },

    async deleteWebhook(input) {
      return change(input, async (trx) => {
        const row = await trx
          .deleteFrom('webhooks')
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .where('webhook_id', '=', input.webhookId)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? webhookNotFound : accept(toWebhook(row));
      });
    },
  };
}

function toWebhook(row: Selectable<Database['webhooks']>): Webhook {
  return {
    webhookId: row.webhook_id,
    webhookUrl: row.webhook_url,
    requestType: row.request_type,
    active: row.active === 1,
  };
}

function webhookUrlNotReachable(): ReturnType<typeof refuse> {
  const message = 'webhookUrl is not reachable from here';
  return refuse({ reason: 'WEBHOOK_URL_NOT_REACHABLE', message, field: 'webhookUrl' });
}

function tooManyWebhooks(): ReturnType<typeof refuse> {
  const message = `A paymaster can have at most ${maxWebhooksPerPaymaster} webhooks`;
  return refuse({ reason: 'TOO_MANY_WEBHOOKS', message });
}
