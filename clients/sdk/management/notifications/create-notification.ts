import type { CreateNotificationRequest, NotificationItem } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateNotificationParameters = CreateNotificationRequest & ApiKeyParameter;

/**
 * Registers a URL that is told about events. It is active from the start; `tank.low` needs `tankLow`.
 *
 * @example
 * await createNotification(client, {
 *   url: 'https://shop.example/gas-events',
 *   events: ['tank.low', 'operation.failed'],
 *   tankLow: { thresholdWei: '100000000000000000', daysLeft: 3 },
 * });
 */
export async function createNotification(
  client: ManagementConnection,
  parameters: CreateNotificationParameters,
): Promise<NotificationItem> {
  const { url, events, tankLow } = parameters;
  const response = await routesOf(client).notification.create({
    headers: apiKeyHeader(client, parameters),
    body: { url, events, tankLow },
  });
  return successBody(response).data;
}
