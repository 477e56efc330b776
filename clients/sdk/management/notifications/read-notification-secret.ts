import type { NotificationIdQuery, NotificationSecret } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ReadNotificationSecretParameters = NotificationIdQuery & ApiKeyParameter;

/** The secret that signs the messages to a URL (Standard Webhooks, `whsec_…`). */
export async function readNotificationSecret(
  client: ManagementConnection,
  parameters: ReadNotificationSecretParameters,
): Promise<NotificationSecret> {
  const { notificationId } = parameters;
  const response = await routesOf(client).notification.readSecret({
    headers: apiKeyHeader(client, parameters),
    query: { notificationId },
  });
  return successBody(response).data;
}
