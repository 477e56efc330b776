import type { ListNotificationDeliveriesQuery, NotificationDeliveryPage } from '@tollfree/contract/notification';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListNotificationDeliveriesParameters = ApiKeyParameter &
  Omit<ListNotificationDeliveriesQuery, 'limit'> & {
    /** Deliveries in the page, 1 to 200; 50 by default. */
    readonly limit?: number | undefined;
  };

/** A page of what was sent or is to be sent, newest first; `nextCursor` leads to the next one. */
export async function listNotificationDeliveries(
  client: ManagementConnection,
  parameters: ListNotificationDeliveriesParameters = {},
): Promise<NotificationDeliveryPage> {
  const { notificationId, state, cursor, limit } = parameters;
  const response = await routesOf(client).notification.listDeliveries({
    headers: apiKeyHeader(client, parameters),
    query: omitAbsent({ notificationId, state, cursor, limit: limit?.toString() }),
  });
  return successBody(response).data;
}
