import type { FundingMessage } from '@tollfree/contract/funding';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateFundingMessageParameters = ApiKeyParameter & { readonly paymasterId: string };

/**
 * A new message for the future funding wallet to sign (interface 4.4). It replaces the one before, counts once and for 15
 * minutes.
 *
 * @example
 * const { fundingMessage } = await createFundingMessage(client, { paymasterId });
 * const signature = await wallet.signMessage({ message: fundingMessage });
 * await setFundingWallet(client, { paymasterId, signature, address: wallet.address });
 */
export async function createFundingMessage(
  client: ManagementConnection,
  parameters: CreateFundingMessageParameters,
): Promise<FundingMessage> {
  const response = await routesOf(client).funding.createMessage({
    headers: apiKeyHeader(client, parameters),
    params: { paymasterId: encodeURIComponent(parameters.paymasterId) },
  });
  return successBody(response).data;
}
