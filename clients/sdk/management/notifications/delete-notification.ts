import type { NotificationIdRequest } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type DeleteNotificationParameters = NotificationIdRequest & ApiKeyParameter;

/** Removes a URL, what waits for it, and the log of what it was told. */
export async function deleteNotification(
  client: ManagementConnection,
  parameters: DeleteNotificationParameters,
): Promise<void> {
  const { notificationId } = parameters;
  const response = await routesOf(client).notification.delete({
    headers: apiKeyHeader(client, parameters),
    body: { notificationId },
  });
  successBody(response);
}
