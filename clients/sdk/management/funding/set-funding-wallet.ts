import type { SetFundingWalletRequest } from '@tollfree/contract/funding';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type SetFundingWalletParameters = Omit<SetFundingWalletRequest, 'type'> & ApiKeyParameter;

/**
 * Makes `address` the funding wallet (interface 4.4). `signature` is its EIP-191 signature of the newest funding message.
 */
export async function setFundingWallet(
  client: ManagementConnection,
  parameters: SetFundingWalletParameters,
): Promise<PaymasterItem> {
  const { paymasterId, signature, address } = parameters;
  const response = await routesOf(client).funding.setWallet({
    headers: apiKeyHeader(client, parameters),
    body: { paymasterId, type: 'paymasterFundingId', signature, address },
  });
  return successBody(response).data;
}
