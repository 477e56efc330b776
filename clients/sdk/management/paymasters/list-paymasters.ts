import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The account's paymasters with their apiKeys (interface 4.2). */
export async function listPaymasters(client: ManagementConnection): Promise<readonly PaymasterItem[]> {
  return successBody(await routesOf(client).paymaster.list()).data;
}
