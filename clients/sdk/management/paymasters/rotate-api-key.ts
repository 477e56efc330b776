import type { CreatedApiKey, RotateApiKeyRequest } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RotateApiKeyParameters = RotateApiKeyRequest & { readonly paymasterId: string };

/**
 * Replaces an apiKey of a paymaster, its own one without an `apiKeyId`. Those before it are accepted for `graceSeconds` more, with 0 no more at all.
 *
 * @example
 * const { apiKey } = await rotateApiKey(client, { paymasterId, graceSeconds: 86_400 });
 */
export async function rotateApiKey(
  client: ManagementConnection,
  parameters: RotateApiKeyParameters,
): Promise<CreatedApiKey> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).paymaster.rotateApiKey({ params, body })).data;
}
