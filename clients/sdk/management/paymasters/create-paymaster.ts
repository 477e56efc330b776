import type { CreatePaymasterRequest, PaymasterItem } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreatePaymasterParameters = Omit<CreatePaymasterRequest, 'type'>;

/**
 * Registers a paymaster (interface 4.2). `version` names a paymaster contract that the operator configured for the chain.
 *
 * @example
 * const { apiKey, paymasterId } = await createPaymaster(client, { name: 'shop', chainId: 137, version: '1.0.0' });
 */
export async function createPaymaster(
  client: ManagementConnection,
  parameters: CreatePaymasterParameters,
): Promise<PaymasterItem> {
  const { name, chainId, version } = parameters;
  const response = await routesOf(client).paymaster.create({ body: { name, type: 'HYBRID', chainId, version } });
  return successBody(response).data;
}
