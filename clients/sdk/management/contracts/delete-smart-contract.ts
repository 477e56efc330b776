import type { DeleteSmartContractRequest } from '@tollfree/contract/smart-contract';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import { type ContractChange, contractChange } from './contract-change.ts';

export type DeleteSmartContractParameters = DeleteSmartContractRequest & ApiKeyParameter;

/** Ends the sponsoring of calls to a contract (interface 4.3). */
export async function deleteSmartContract(
  client: ManagementConnection,
  parameters: DeleteSmartContractParameters,
): Promise<ContractChange> {
  const { address } = parameters;
  const response = await routesOf(client).smartContract.delete({
    headers: apiKeyHeader(client, parameters),
    body: { address },
  });
  return contractChange(successBody(response).data);
}
