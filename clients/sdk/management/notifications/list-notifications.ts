import type { NotificationItem } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** All the URLs that are told about events of the paymaster, in the order they were registered. */
export async function listNotifications(
  client: ManagementConnection,
  parameters: ApiKeyParameter = {},
): Promise<readonly NotificationItem[]> {
  const response = await routesOf(client).notification.list({ headers: apiKeyHeader(client, parameters) });
  return successBody(response).data;
}
