import { pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-stub-data';
import type { GetPaymasterStubDataParameters, GetPaymasterStubDataReturnType } from 'viem/account-abstraction';
import { z } from 'zod';
import { paymasterDataParams } from './paymaster-data-params.ts';
import { paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const sponsor = z.object({ name: z.string(), icon: z.string().optional() }).optional();

const PaymasterStubDataSchema = z.union([
  z.object({ sponsor, ...paymasterFields07 }),
  z.object({ sponsor, ...paymasterFields06 }),
]);

/**
 * `pm_getPaymasterStubData` (ERC-7677): paymaster fields to estimate an operation with. They pay for nothing. What can be
 * refused already is refused here. Parameters and answer are viem's; `context` is a `PaymasterContext`.
 *
 * @example
 * const stub = await getPaymasterStubData(client, {
 *   ...userOperation,
 *   chainId: 137,
 *   entryPointAddress: entryPoint07Address,
 *   context: { token: usdc },
 * });
 */
export async function getPaymasterStubData(
  client: SponsorConnection,
  parameters: GetPaymasterStubDataParameters,
): Promise<GetPaymasterStubDataReturnType> {
  const answer = await client.call(pmGetPaymasterStubData.method, paymasterDataParams(parameters));
  return checkResult(answer, PaymasterStubDataSchema);
}
