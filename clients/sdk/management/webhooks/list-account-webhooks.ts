import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ListAccountWebhooksQuery, WebhookPage } from '@tollfree/contract/webhook';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListAccountWebhooksParameters = Omit<ListAccountWebhooksQuery, 'limit'> & {
  /** Webhooks in the page, 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
};

/** A page of the webhooks of all paymasters, or of one; `nextCursor` leads to the next one. */
export async function listAccountWebhooks(
  client: ManagementConnection,
  parameters: ListAccountWebhooksParameters = {},
): Promise<WebhookPage> {
  const { paymasterId, cursor, limit } = parameters;
  const query = omitAbsent({ paymasterId, cursor, limit: limit?.toString() });
  return successBody(await routesOf(client).webhook.listAll({ query })).data;
}
