import type { ServedChainItem } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The chains that the service serves, with the paymaster contracts whose `version` a paymaster can have there. */
export async function listChains(client: ManagementConnection): Promise<readonly ServedChainItem[]> {
  return successBody(await routesOf(client).paymaster.listChains()).data;
}
