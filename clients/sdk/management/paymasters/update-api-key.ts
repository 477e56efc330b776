import type { ApiKeyItem, UpdateApiKeyRequest } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** `apiKeyId` as `listApiKeys` gives it: the id, not the key. */
export type UpdateApiKeyParameters = UpdateApiKeyRequest & { readonly paymasterId: string };

/**
 * Changes what is given of an apiKey, and of those that it replaces.
 *
 * @example
 * await updateApiKey(client, { paymasterId, apiKeyId, disabled: true });
 */
export async function updateApiKey(
  client: ManagementConnection,
  parameters: UpdateApiKeyParameters,
): Promise<ApiKeyItem> {
  const { paymasterId, ...body } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  return successBody(await routesOf(client).paymaster.updateApiKey({ params, body })).data;
}
