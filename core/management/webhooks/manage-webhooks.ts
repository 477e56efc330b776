import { randomUUID } from 'node:crypto';
import { cursorForm, defaultPageSize, maxPageSize, maxPolicyWei, maxWebhooks } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core, Input } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { failureWindows, type Webhook, type WebhookPage, type WebhookRequestType } from '../../domain/webhook.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { sealIn } from '../../store/master-keys/adopt-master-key.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei.ts';
import { checkWebhookUrl } from '../../webhooks/resolve-host.ts';
import { generateWebhookSecret, webhookSecretBinding } from '../../webhooks/sign-webhook.ts';
import { type BudgetColumns, readFailureBudget } from '../../webhooks/webhook-caller.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { webhookFacts } from '../audit-log/row-facts.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';

type WebhookSettings = Pick<Input<'createWebhook'>, 'payload' | 'onFailure' | 'failureBudget'>;

const none: BudgetColumns = { failure_window: null, failure_max: null };

/**
 * The settings for a webhook that is down, as columns. `before` are its current ones: a new budget without a mode only
 * changes a sponsoring webhook, and refusing removes the budget.
 */
function failureColumns(
  { onFailure, failureBudget }: WebhookSettings,
  before: BudgetColumns = none,
): Result<BudgetColumns> {
  const mode = onFailure ?? (before.failure_max === null ? 'REFUSE' : 'SPONSOR');
  if (mode !== 'REFUSE' && mode !== 'SPONSOR') return invalidField('onFailure', 'must be REFUSE or SPONSOR');
  if (mode === 'REFUSE') {
    return failureBudget === undefined ? accept(none) : invalidField('failureBudget', 'requires onFailure SPONSOR');
  }
  if (failureBudget === undefined) {
    return before.failure_max === null
      ? invalidField('failureBudget', 'is required for SPONSOR')
      : accept({ failure_window: before.failure_window, failure_max: before.failure_max });
  }
  const window = failureWindows.find((one) => one === failureBudget.window);
  if (window === undefined) return invalidField('failureBudget.window', 'must be HOUR or DAY');
  const { max } = failureBudget;
  if (max < 1n || max > maxPolicyWei) return invalidField('failureBudget.max', `must be 1 to ${maxPolicyWei} wei`);
  return accept({ failure_window: window, failure_max: toWeiText(max) });
}

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
  const settings = readSettings(input, requestType);
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
      .select(['webhook_url', 'request_type', 'active', 'payload', 'failure_window', 'failure_max', 'failure_era'])
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('webhook_id', '=', input.webhookId)
      .executeTakeFirst();
    if (before === undefined) return webhookNotFound;
    const settings = readSettings(input, before.request_type, before);
    if (!settings.ok) return settings;
    const changed = {
      active: input.active ? (1 as const) : (0 as const),
      ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
      ...settings.value,
    };
    const row = await trx
      .updateTable('webhooks')
      .set({ ...changed, failure_era: before.failure_era + (isChange(before, changed) ? 1 : 0) })
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

/** Whether the webhook changed so that what was sponsored without it no longer counts. */
function isChange(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(after).some(([column, value]) => before[column] !== value);
}

/** The columns of the given settings; `before` are those of an existing webhook. */
function readSettings(input: WebhookSettings, requestType: WebhookRequestType, before?: BudgetColumns) {
  const reported = readPayload(input, requestType);
  if (!reported.ok) return reported;
  const failure = failureColumns(input, before);
  return failure.ok ? accept({ ...reported.value, ...failure.value }) : failure;
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
  const failureBudget = readFailureBudget(row);
  return {
    webhookId: row.webhook_id,
    webhookUrl: row.webhook_url,
    requestType: row.request_type,
    active: row.active === 1,
    etag: etagOf('webhook', webhookFacts(row)),
    ...(row.payload === 'DATA' ? {} : { payload: row.payload }),
    ...(failureBudget === undefined ? {} : { onFailure: 'SPONSOR', failureBudget }),
  };
}
