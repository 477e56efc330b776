import type { ApiKeyItem } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListApiKeysParameters = { readonly paymasterId: string };

/** The apiKeys of a paymaster, its own first, of each the newest first, without the keys themselves. */
export async function listApiKeys(
  client: ManagementConnection,
  parameters: ListApiKeysParameters,
): Promise<readonly ApiKeyItem[]> {
  const params = { paymasterId: encodeURIComponent(parameters.paymasterId) };
  return successBody(await routesOf(client).paymaster.listApiKeys({ params })).data;
}
