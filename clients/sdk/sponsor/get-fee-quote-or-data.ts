import type { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { unexpectedAnswer } from '../errors/errors.ts';
import { type Read, readEither } from './read-form.ts';
import { readSponsoredData, type SignedData } from './signed-data.ts';
import { checkResult, type RpcAnswer, type SponsorConnection } from './sponsor-connection.ts';
import type { FeeQuoteOrDataContext, SponsoredContext, TokenQuotesContext } from './sponsorship-context.ts';
import { type RoundedQuotes, readTokenQuotes, type TokenQuotes, withExactNumbers } from './token-quotes.ts';
import { toWireUserOperation, type UserOperationRequest } from './user-operation-request.ts';

/** A JSON string, or a JSON number outside of strings. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * JSON text parsed with each number as its literal's text: `{"rate":123456789012345678901}` gives `{ rate:
 * '123456789012345678901' }`. A plain parse would round numbers that a double cannot represent. The text must be JSON.
 */
export function parseNumbersAsText(json: string): unknown {
  return JSON.parse(json.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

const method = 'pm_getFeeQuoteOrData' satisfies typeof pmGetFeeQuoteOrData.method;

const results = {
  SPONSORED: readSponsoredData,
  SPONSORSHIP: readSponsoredData,
  ERC20: readTokenQuotes,
  either: readEither(readSponsoredData, readTokenQuotes),
} as const;

/** The result of `pm_getFeeQuoteOrData`, by the mode of its context. */
export type FeeQuoteOrData<Context extends FeeQuoteOrDataContext> = Context extends SponsoredContext
  ? SignedData<'SPONSORED'>
  : Context extends TokenQuotesContext
    ? TokenQuotes
    : SignedData<'SPONSORED'> | TokenQuotes;

/**
 * `pm_getFeeQuoteOrData` (interface 4.5): signed paymaster data in mode `SPONSORED`, token quotes in mode `ERC20`, either
 * without a mode.
 *
 * @example
 * const signed = await getFeeQuoteOrData(client, userOperation, {
 *   mode: 'SPONSORED',
 *   sponsorshipInfo: { smartAccountInfo: { name: 'SAFE', version: '1.4.1' } },
 * });
 */
export async function getFeeQuoteOrData<const Context extends FeeQuoteOrDataContext>(
  client: SponsorConnection,
  userOperation: UserOperationRequest,
  context: Context,
): Promise<FeeQuoteOrData<Context>> {
  const answer = await client.call(method, [toWireUserOperation(userOperation), context]);
  const read: Read<SignedData<'SPONSORED'> | RoundedQuotes> = results[context.mode ?? 'either'];
  const result = checkResult(answer, read);
  // The mode selected the form, so the parsed value is that mode's result.
  return (result.mode === 'SPONSORED' ? result : exactQuotes(result, answer)) as FeeQuoteOrData<Context>;
}

function exactQuotes(quotes: RoundedQuotes, { status, text }: RpcAnswer): TokenQuotes {
  const exact = withExactNumbers(quotes, parseNumbersAsText(text));
  if (exact === undefined) throw unexpectedAnswer(status, 'has numbers that are not in the form of the method');
  return exact;
}
