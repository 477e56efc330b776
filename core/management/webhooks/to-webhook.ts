import type { Selectable } from 'kysely';
import type { Webhook } from '../../domain/webhook.ts';
import type { Database } from '../../store/database.ts';
import { readFailureBudget } from '../../webhooks/webhook-limits.ts';

/** A stored webhook as `Core` answers it. */
export function toWebhook(row: Selectable<Database['webhooks']>): Webhook {
  const failureBudget = readFailureBudget(row);
  return {
    webhookId: row.webhook_id,
    webhookUrl: row.webhook_url,
    requestType: row.request_type,
    active: row.active === 1,
    ...(row.payload === 'DATA' ? {} : { payload: row.payload }),
    ...(failureBudget === undefined ? {} : { onFailure: 'SPONSOR', failureBudget }),
  };
}
