import type { EndApiKeyRequest } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** `apiKeyId` as `listApiKeys` gives it: the id, not the key. */
export type EndApiKeyParameters = EndApiKeyRequest & { readonly paymasterId: string };

/** Ends an apiKey at once, with those it has replaced. The paymaster's own ends by being replaced. */
export async function endApiKey(client: ManagementConnection, parameters: EndApiKeyParameters): Promise<void> {
  const { paymasterId, apiKeyId } = parameters;
  const params = { paymasterId: encodeURIComponent(paymasterId) };
  successBody(await routesOf(client).paymaster.endApiKey({ params, body: { apiKeyId } }));
}
