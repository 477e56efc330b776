import { randomUUID } from 'node:crypto';
import { cursorForm, defaultPageSize, maxPageSize, maxWebhooks } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core, Input } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { Webhook, WebhookPage, WebhookRequestType } from '../../domain/webhook.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { sealIn } from '../../store/master-keys/adopt-master-key.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { checkWebhookUrl } from '../../webhooks/resolve-host.ts';
import { generateWebhookSecret, webhookSecretBinding } from '../../webhooks/sign-webhook.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { webhookFacts } from '../audit-log/row-facts.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';

type WebhookSettings = Pick<Input<'createWebhook'>, 'payload'>;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly profiles: SponsorProfiles;
  readonly config: WebhookConfig;
  readonly box: SecretBox;
};

export const webhookNotFound = refuse({ reason: 'WEBHOOK_NOT_FOUND', message: 'Webhook not found' });

/** The webhook operations of `Core` (interface 4.1). */
export function manageWebhooks(
  parts: Parts,
): Pick<Core, 'createWebhook' | 'listWebhooks' | 'listAccountWebhooks' | 'updateWebhook' | 'deleteWebhook'> {
  return {
    createWebhook: (input) => createWebhook(parts, input),
    listWebhooks: (input) => listWebhooks(parts, input),
    listAccountWebhooks: (input) => listAccountWebhooks(parts, input),
    updateWebhook: (input) => updateWebhook(parts, input),
    deleteWebhook: (input) => deleteWebhook(parts, input),
  };
}

async function createWebhook(parts: Parts, input: Input<'createWebhook'>): Promise<Result<Webhook>> {
  const { webhookUrl, requestType } = input;
  const verdict = await checkWebhookUrl(webhookUrl, parts.config);
  if (verdict === 'not-a-url') return invalidField('webhookUrl', 'must be a valid URL');
  if (requestType !== 'GET' && requestType !== 'POST') return invalidField('requestType', 'must be GET or POST');
  const settings = readPayload(input, requestType);
  if (!settings.ok) return settings;
  if (verdict === 'not-reachable') return webhookUrlNotReachable();
  const webhookId = randomUUID();
  return changeOwnPaymaster(parts, input, async (trx) => {
    const registered = await trx
      .selectFrom('webhooks')
      .select('webhook_id')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .execute();
    if (registered.length >= maxWebhooks) return tooManyWebhooks();
    const secret = { text: generateWebhookSecret(), boundTo: webhookSecretBinding(webhookId) };
    const row = await trx
      .insertInto('webhooks')
      .values({
        webhook_id: webhookId,
        paymaster_id: input.paymasterId,
        webhook_url: webhookUrl,
        request_type: requestType,
        active: 1,
        secret_sealed: await sealIn(trx, parts.box, secret),
        created_at: unixSeconds(parts.clock),
        ...settings.value,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return accept(toWebhook(row));
  });
}

async function listWebhooks({ store }: Parts, input: Input<'listWebhooks'>): Promise<Result<readonly Webhook[]>> {
  if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
  const all = store.db
    .selectFrom('webhooks')
    .selectAll()
    .where('paymaster_id', '=', ownPaymasterId(store.db, input))
    .orderBy('webhook_number');
  const query = input.webhookId === undefined ? all : all.where('webhook_id', '=', input.webhookId);
  return accept((await query.execute()).map(toWebhook));
}

async function listAccountWebhooks(
  { store }: Parts,
  { accountId, paymasterId, cursor, limit = defaultPageSize }: Input<'listAccountWebhooks'>,
): Promise<Result<WebhookPage>> {
  if (cursor !== undefined && !cursorForm.test(cursor)) {
    return invalidField('cursor', 'must be the nextCursor of an earlier answer');
  }
  if (paymasterId !== undefined && !(await ownsPaymaster(store.db, { accountId, paymasterId }))) {
    return paymasterNotFound;
  }
  const size = Math.min(Math.max(limit, 1), maxPageSize);
  let query = store.db
    .selectFrom('webhooks')
    .innerJoin('paymasters', 'paymasters.paymaster_id', 'webhooks.paymaster_id')
    .selectAll('webhooks')
    .where('paymasters.account_id', '=', accountId)
    .where('webhook_number', '>', cursor === undefined ? 0 : Number(cursor));
  if (paymasterId !== undefined) query = query.where('webhooks.paymaster_id', '=', paymasterId);
  // One more than requested, to see whether there are more.
  const rows = await query
    .orderBy('webhook_number')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const next = rows.length > size ? page.at(-1)?.webhook_number : undefined;
  return accept({
    webhooks: page.map((row) => ({ ...toWebhook(row), paymasterId: row.paymaster_id })),
    ...omitAbsent({ nextCursor: next?.toString() }),
  });
}

async function updateWebhook(parts: Parts, input: Input<'updateWebhook'>): Promise<Result<Webhook>> {
  const { webhookUrl } = input;
  const verdict = webhookUrl === undefined ? undefined : await checkWebhookUrl(webhookUrl, parts.config);
  if (verdict === 'not-a-url') return invalidField('webhookUrl', 'must be a valid URL');
  if (verdict === 'not-reachable') return webhookUrlNotReachable();
  return changeOwnPaymaster(parts, input, async (trx) => {
    const before = await trx
      .selectFrom('webhooks')
      .select('request_type')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('webhook_id', '=', input.webhookId)
      .executeTakeFirst();
    if (before === undefined) return webhookNotFound;
    const settings = readPayload(input, before.request_type);
    if (!settings.ok) return settings;
    const changed = {
      active: input.active ? (1 as const) : (0 as const),
      ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
      ...settings.value,
    };
    const row = await trx
      .updateTable('webhooks')
      .set(changed)
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('webhook_id', '=', input.webhookId)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? webhookNotFound : accept(toWebhook(row));
  });
}

async function deleteWebhook(parts: Parts, input: Input<'deleteWebhook'>): Promise<Result<Webhook>> {
  return changeOwnPaymaster(parts, input, async (trx) => {
    const row = await trx
      .deleteFrom('webhooks')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('webhook_id', '=', input.webhookId)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? webhookNotFound : accept(toWebhook(row));
  });
}

/** A GET has its data in the URL, which is too short for an operation. */
function readPayload({ payload }: WebhookSettings, requestType: WebhookRequestType) {
  if (payload === undefined) return accept({});
  if (payload !== 'DATA' && payload !== 'OPERATION') return invalidField('payload', 'must be DATA or OPERATION');
  if (payload === 'OPERATION' && requestType === 'GET') {
    return invalidField('payload', 'must be DATA for a webhook that is called with GET');
  }
  return accept({ payload });
}

function webhookUrlNotReachable(): ReturnType<typeof refuse> {
  const message = 'webhookUrl cannot be reached by the service';
  return refuse({ reason: 'WEBHOOK_URL_NOT_REACHABLE', message, field: 'webhookUrl' });
}

function tooManyWebhooks(): ReturnType<typeof refuse> {
  const message = `A paymaster can have at most ${maxWebhooks} webhooks`;
  return refuse({ reason: 'TOO_MANY_WEBHOOKS', message });
}

/** A stored webhook as `Core` answers it. */
export function toWebhook(row: Selectable<Database['webhooks']>): Webhook {
  return {
    webhookId: row.webhook_id,
    webhookUrl: row.webhook_url,
    requestType: row.request_type,
    active: row.active === 1,
    etag: etagOf('webhook', webhookFacts(row)),
    ...(row.payload === 'DATA' ? {} : { payload: row.payload }),
  };
}
