import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { GivenQuote, QuoteKey } from '../../quotes/quote-book.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';

/** What a quote for this operation in this token is filed under. */
export function quoteKey(
  { profile }: Pick<Identified, 'profile'>,
  operation: Pick<QuoteKey, 'sender' | 'nonce'>,
  token: QuoteKey['token'],
) {
  const { paymasterId } = profile.paymaster;
  return { paymasterId, sender: operation.sender, nonce: operation.nonce, token } satisfies QuoteKey;
}

/** What was quoted for the operation in its token; undefined where nothing was, or nothing holds any more. */
export type Quoted = { readonly quote: GivenQuote | undefined };

type Needed = Asked & Identified & WithGas & Quoted & { readonly grant: TokenGrant };

/** Looks up what was quoted, by this process or another one. */
export const findQuote: Step<Omit<Needed, 'quote'>, Quoted> = (request) => {
  const { parts, operation, grant } = request;
  const found = parts.quotes.find(quoteKey(request, operation, grant.token));
  return found instanceof Promise ? found.then((quote) => accept({ quote })) : accept({ quote: found });
};

/**
 * Keeps to what was quoted: the grant to sign, which never takes more from the user than a quote that is still valid said.
 * Where the price has risen since, the quoted rate is granted instead, until the quote ends (or for the shortest lifetime
 * of a signature, if that is longer). Where the operation itself has become dearer (more gas, a higher gas price), no rate
 * of ours helps and the client has to ask again: `LIMIT_EXCEEDED` with the limit `quotedMaximum`. Without a valid quote the
 * grant stays as it is.
 */
export const keepQuote: Step<Needed, { readonly grant: TokenGrant }> = noted(
  { rule: 'quote', checked: 'the earlier quote for the operation' },
  (request) => {
    const kept = quotedGrant(request);
    return kept.ok ? accept({ grant: kept.value }) : kept;
  },
);

/** The grant as {@link keepQuote} keeps it. */
export function quotedGrant(request: Needed): Result<TokenGrant> {
  const { parts, contract, operation, grant, quote } = request;
  const { family } = contract;
  if (quote === undefined) return accept(grant);
  const asked = family.maximumTokenCharge(operation, grant);
  if (asked <= quote.maximum) return accept(grant);

  const shortest = unixSeconds(parts.clock) + parts.validity.minSeconds;
  const quoted: TokenGrant = {
    ...grant,
    exchangeRate: quote.exchangeRate,
    validUntil: Math.min(grant.validUntil, Math.max(quote.validUntil, shortest)),
  };
  if (family.maximumTokenCharge(operation, quoted) <= quote.maximum) return accept(quoted);
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'QUOTE',
    message: `The operation can cost up to ${asked} base units of the token, more than the quoted ${quote.maximum}. Request a new quote.`,
    details: { limit: 'quotedMaximum', quoted: quote.maximum.toString(), asked: asked.toString() },
  });
}
