import type { pmSponsorUserOperation } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import { readSponsoredData, readTokenPaidData, type SignedData } from './signed-data.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import type { SponsorContext, TokenPaidContext } from './sponsorship-context.ts';
import { toWireUserOperation, type UserOperationRequest } from './user-operation-request.ts';

const method = 'pm_sponsorUserOperation' satisfies typeof pmSponsorUserOperation.method;

/** What `pm_sponsorUserOperation` answers, by the mode of its context. */
export type SponsoredOperation<Context extends SponsorContext> = Context extends TokenPaidContext
  ? SignedData<'ERC20'>
  : SignedData<'SPONSORED'>;

/**
 * `pm_sponsorUserOperation`: signed paymaster data in either mode. In mode `ERC20` the token is one of those quoted by
 * `pm_getFeeQuoteOrData`.
 *
 * @example
 * const signed = await sponsorUserOperation(client, userOperation, {
 *   mode: 'ERC20',
 *   tokenInfo: { feeTokenAddress: quote.tokenAddress },
 * });
 */
export async function sponsorUserOperation<const Context extends SponsorContext>(
  client: SponsorConnection,
  userOperation: UserOperationRequest,
  context: Context,
): Promise<SponsoredOperation<Context>> {
  const answer = await client.call(method, [toWireUserOperation(userOperation), context]);
  const read = context.mode === 'ERC20' ? readTokenPaidData : readSponsoredData;
  // The form was chosen by the mode, so what it accepted is that mode's result.
  return checkResult<SignedData>(answer, read) as SponsoredOperation<Context>;
}
