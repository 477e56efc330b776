import type { TicketKeyItem } from '@tollfree/contract/tickets/ticket-key';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListTicketKeysParameters = { readonly paymasterId: string };

/** The keys that sign a paymaster's tickets, in the order they were made, without anything secret. */
export async function listTicketKeys(
  client: ManagementConnection,
  parameters: ListTicketKeysParameters,
): Promise<readonly TicketKeyItem[]> {
  const params = { paymasterId: encodeURIComponent(parameters.paymasterId) };
  return successBody(await routesOf(client).ticketKey.list({ params })).data;
}
