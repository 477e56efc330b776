import type { PimlicoGetSupportedTokensResult, pimlicoGetSupportedTokens } from '@tollfree/contract/rpc/pimlico-tokens';
import type { Address } from 'viem';
import { readAddress, readArray, readInteger, readObject, readText } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'pimlico_getSupportedTokens' satisfies typeof pimlicoGetSupportedTokens.method;

/** A token that the paymaster accepts. */
export type SupportedToken = Omit<PimlicoGetSupportedTokensResult[number], 'token'> & {
  readonly token: Address;
};

const readSupportedTokens = readArray(
  readObject<SupportedToken>({ name: readText, symbol: readText, decimals: readInteger, token: readAddress }),
);

/** `pimlico_getSupportedTokens`: the tokens users can pay with; none for a paymaster that only sponsors. */
export async function getSupportedTokens(client: SponsorConnection): Promise<readonly SupportedToken[]> {
  return checkResult(await client.call(method, []), readSupportedTokens);
}
