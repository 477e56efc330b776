import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The contracts a paymaster may sponsor calls to (interface 4.3). */
export async function listSmartContracts(
  client: ManagementConnection,
  parameters: ApiKeyParameter = {},
): Promise<readonly SmartContractItem[]> {
  const response = await routesOf(client).smartContract.list({ headers: apiKeyHeader(client, parameters) });
  return successBody(response).data;
}
