import {
  type PimlicoGetSupportedTokensResult,
  pimlicoGetSupportedTokens,
} from '@tollfree/contract/rpc/pimlico-get-supported-tokens';
import type { Address } from 'viem';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import { AddressSchema } from './wire-fields.ts';

/** A token that the paymaster takes. */
export type SupportedToken = Omit<PimlicoGetSupportedTokensResult[number], 'token'> & {
  /** Its address. */
  readonly token: Address;
};

const SupportedTokensSchema = pimlicoGetSupportedTokens.result.element.extend({ token: AddressSchema }).array();

/** `pimlico_getSupportedTokens`: the tokens users can pay with; none at a paymaster that only sponsors. */
export async function getSupportedTokens(client: SponsorConnection): Promise<readonly SupportedToken[]> {
  return checkResult(await client.call(pimlicoGetSupportedTokens.method, []), SupportedTokensSchema);
}
