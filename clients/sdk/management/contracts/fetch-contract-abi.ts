import type { FetchedAbi } from '@tollfree/contract/smart-contract';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type FetchContractAbiParameters = ApiKeyParameter & { readonly address: string };

/**
 * The ABI of a verified contract on the paymaster's chain, from the explorer that the operator has set up; of the
 * implementation where it is a proxy. Registers nothing.
 */
export async function fetchContractAbi(
  client: ManagementConnection,
  parameters: FetchContractAbiParameters,
): Promise<FetchedAbi> {
  const response = await routesOf(client).smartContract.fetchAbi({
    headers: apiKeyHeader(client, parameters),
    params: { address: parameters.address },
  });
  return successBody(response).data;
}
