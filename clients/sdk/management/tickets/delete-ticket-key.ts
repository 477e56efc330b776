import type { DeleteTicketKeyRequest } from '@tollfree/contract/tickets/ticket-key';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type DeleteTicketKeyParameters = DeleteTicketKeyRequest & { readonly paymasterId: string };

/** Deletes a key that signs tickets: those that it signed are not taken any more. */
export async function deleteTicketKey(
  client: ManagementConnection,
  parameters: DeleteTicketKeyParameters,
): Promise<void> {
  const { paymasterId, ticketKeyId } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  successBody(await routesOf(client).ticketKey.delete({ params, body: { ticketKeyId } }));
}
