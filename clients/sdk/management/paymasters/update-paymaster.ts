import type { PaymasterItem, UpdatePaymasterRequest } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type UpdatePaymasterParameters = UpdatePaymasterRequest & { readonly paymasterId: string };

/**
 * Renames a paymaster, pauses it (every request is refused) or resumes it.
 *
 * @example
 * await updatePaymaster(client, { paymasterId, paused: true });
 */
export async function updatePaymaster(
  client: ManagementConnection,
  parameters: UpdatePaymasterParameters,
): Promise<PaymasterItem> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).paymaster.update({ params, body })).data;
}
