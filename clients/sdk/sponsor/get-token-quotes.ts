import type { pimlicoGetTokenQuotes } from '@tollfree/contract/rpc/pimlico-tokens';
import type { Address } from 'viem';
import { chainIdHex, readAddress, readArray, readObject, readOptional, readQuantityText } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'pimlico_getTokenQuotes' satisfies typeof pimlicoGetTokenQuotes.method;

export type GetTokenQuotesParameters = {
  /** Addresses of tokens, at most 100. */
  readonly tokens: readonly Address[];
  readonly chainId: number;
  readonly entryPointAddress: Address;
};

/**
 * A token's current rate. An operation costs at most `(gas + postOpGas) * maxFeePerGas * exchangeRate / 10^18` base units,
 * where `gas` is the sum of its limits. Not binding: `getFeeQuoteOrData` quotes an operation.
 */
export type TokenRate = {
  readonly token: Address;
  /** Spender that the token allowance is for. */
  readonly paymaster: Address;
  /** Gas that is charged in addition to the operation's own limits. */
  readonly postOpGas: bigint;
  /** Token base units for 10^18 wei, premium included. */
  readonly exchangeRate: bigint;
  /** Millionths of a US dollar for one native coin. */
  readonly exchangeRateNativeToUsd: bigint;
  /** Storage slot of the token's balances, for estimates that override state. Absent if the operator gives none. */
  readonly balanceSlot?: bigint | undefined;
  /** Storage slot of the token's allowances, for the same. */
  readonly allowanceSlot?: bigint | undefined;
};

const readTokenRates = readObject<{ readonly quotes: readonly TokenRate[] }>({
  quotes: readArray(
    readObject<TokenRate>({
      token: readAddress,
      paymaster: readAddress,
      postOpGas: readQuantityText,
      exchangeRate: readQuantityText,
      exchangeRateNativeToUsd: readQuantityText,
      balanceSlot: readOptional(readQuantityText),
      allowanceSlot: readOptional(readQuantityText),
    }),
  ),
});

/**
 * `pimlico_getTokenQuotes`: what tokens cost now, without an operation. Tokens that the paymaster does not take are left
 * out.
 *
 * @example
 * const [rate] = await getTokenQuotes(client, { tokens: [usdc], chainId: 137, entryPointAddress: entryPoint07Address });
 */
export async function getTokenQuotes(
  client: SponsorConnection,
  { tokens, chainId, entryPointAddress }: GetTokenQuotesParameters,
): Promise<readonly TokenRate[]> {
  const params = [{ tokens }, entryPointAddress, chainIdHex(chainId)];
  const answer = await client.call(method, params);
  return checkResult(answer, readTokenRates).quotes;
}
