import type { pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import type { GetPaymasterStubDataParameters, GetPaymasterStubDataReturnType } from 'viem/account-abstraction';
import {
  type PaymasterFields06,
  type PaymasterFields07,
  paymasterDataParams,
  paymasterFields06,
  paymasterFields07,
} from './paymaster-fields.ts';
import { readEither, readObject, readOptional, readText } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'pm_getPaymasterStubData' satisfies typeof pmGetPaymasterStubData.method;

type Sponsor = { readonly name: string; readonly icon?: string | undefined };
type WithSponsor = { readonly sponsor?: Sponsor | undefined };

const sponsor = readOptional(readObject<Sponsor>({ name: readText, icon: readOptional(readText) }));
const readPaymasterStubData = readEither(
  readObject<PaymasterFields07 & WithSponsor>({ ...paymasterFields07, sponsor }),
  readObject<PaymasterFields06 & WithSponsor>({ ...paymasterFields06, sponsor }),
);

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
  const answer = await client.call(method, paymasterDataParams(parameters));
  return checkResult(answer, readPaymasterStubData);
}
