import type { CreatedTicketKey, CreateTicketKeyRequest } from '@tollfree/contract/tickets/ticket-key';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateTicketKeyParameters = CreateTicketKeyRequest & { readonly paymasterId: string };

/**
 * Makes a key that signs tickets, or registers the application's own. `secret` of the answer is what signs them, and is told in
 * this answer alone.
 *
 * @example
 * const { secret } = await createTicketKey(client, { paymasterId, name: 'backend', kind: 'ES256' });
 */
export async function createTicketKey(
  client: ManagementConnection,
  parameters: CreateTicketKeyParameters,
): Promise<CreatedTicketKey> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).ticketKey.create({ params, body })).data;
}
