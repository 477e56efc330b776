import type { SmartContractItem, UpdateSmartContractRequest } from '@tollfree/contract/smart-contract';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type UpdateSmartContractParameters = UpdateSmartContractRequest & ApiKeyParameter;

/** Replaces the whitelist of a registered contract (interface 4.3). An empty one sponsors no method. */
export async function updateSmartContract(
  client: ManagementConnection,
  parameters: UpdateSmartContractParameters,
): Promise<SmartContractItem> {
  const { address, whitelistedMethods } = parameters;
  const response = await routesOf(client).smartContract.update({
    headers: apiKeyHeader(client, parameters),
    body: { address, whitelistedMethods },
  });
  return successBody(response).data;
}
