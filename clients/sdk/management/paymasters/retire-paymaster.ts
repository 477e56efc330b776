import type { PaymasterItem, RetirePaymasterRequest } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RetirePaymasterParameters = RetirePaymasterRequest & { readonly paymasterId: string };

/**
 * Ends a paymaster for good: nothing is signed or changed any more, and its books stay. `name` is its own.
 *
 * @example
 * await retirePaymaster(client, { paymasterId, name: 'shop' });
 */
export async function retirePaymaster(
  client: ManagementConnection,
  parameters: RetirePaymasterParameters,
): Promise<PaymasterItem> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).paymaster.retire({ params, body })).data;
}
