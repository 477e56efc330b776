import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { RegisterSmartContractRequest } from '@tollfree/contract/smart-contract';
import type { Abi } from 'viem';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import { type ContractChange, contractChange } from './contract-change.ts';

export type RegisterSmartContractParameters = Omit<RegisterSmartContractRequest, 'abi'> &
  ApiKeyParameter & {
    /** The ABI, or its JSON text. */
    readonly abi: Abi | string;
  };

/**
 * Lets a paymaster sponsor calls to a contract (interface 4.3). Without `whitelistedMethods` none is sponsored yet.
 *
 * @example
 * await registerSmartContract(client, { name: 'token', address, abi: erc20Abi, whitelistedMethods: ['transfer'] });
 */
export async function registerSmartContract(
  client: ManagementConnection,
  parameters: RegisterSmartContractParameters,
): Promise<ContractChange> {
  const { name, address, abi, whitelistedMethods } = parameters;
  const response = await routesOf(client).smartContract.register({
    headers: apiKeyHeader(client, parameters),
    body: {
      name,
      address,
      abi: typeof abi === 'string' ? abi : JSON.stringify(abi),
      ...omitAbsent({ whitelistedMethods }),
    },
  });
  return contractChange(successBody(response).data);
}
