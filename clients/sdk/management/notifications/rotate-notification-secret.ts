import type { NotificationIdRequest, NotificationSecret } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RotateNotificationSecretParameters = NotificationIdRequest & ApiKeyParameter;

/** Replaces the secret that signs the messages to a URL. The previous one no longer signs anything. */
export async function rotateNotificationSecret(
  client: ManagementConnection,
  parameters: RotateNotificationSecretParameters,
): Promise<NotificationSecret> {
  const { notificationId } = parameters;
  const response = await routesOf(client).notification.rotateSecret({
    headers: apiKeyHeader(client, parameters),
    body: { notificationId },
  });
  return successBody(response).data;
}
