import type { CreateApiKeyRequest, CreatedApiKey } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateApiKeyParameters = CreateApiKeyRequest & { readonly paymasterId: string };

/**
 * Makes one more apiKey for a paymaster, next to those it has. It is in this answer and never again.
 *
 * @example
 * const { apiKey } = await createApiKey(client, { paymasterId, name: 'web shop' });
 */
export async function createApiKey(
  client: ManagementConnection,
  parameters: CreateApiKeyParameters,
): Promise<CreatedApiKey> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).paymaster.createApiKey({ params, body })).data;
}
