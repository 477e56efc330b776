import { unixSeconds } from '../../base/time/clock.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { GivenQuote, QuoteKey } from '../../quotes/quote-store.ts';
import type { WithGas, WithOwnGas } from '../gas/choose-gas.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import type { UserPays } from '../run/user-pays.ts';

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

type Needed = Asked & Identified & WithGas & Quoted & UserPays & { readonly grant: TokenGrant };
type Kept = WithGas & { readonly grant: TokenGrant };

/** Looks up what was quoted, by this process or another one. */
export const findQuote: Step<Omit<Needed, 'quote'>, Quoted> = (request) => {
  const { parts, operation, grant } = request;
  const found = parts.quotes.find(quoteKey(request, operation, grant.token));
  return found instanceof Promise ? found.then((quote) => accept({ quote })) : accept({ quote: found });
};

/**
 * Keeps to what was quoted: the grant to sign, which never takes more from the user than a quote that is still valid said.
 * Where the price has risen since, the quoted rate is granted instead, until the quote ends (or for the shortest lifetime
 * of a signature, if that is longer). Where a bundler's gas limits carry the
 * operation above the quote, our own are signed. Where the operation itself has become more expensive (more gas, a higher gas price), no
 * rate of ours helps and the client has to ask again: `LIMIT_EXCEEDED` with the limit `quotedMaximum`. Without a valid quote the
 * grant stays as it is.
 */
export const keepQuote: Step<Needed & WithOwnGas, Kept> = noted(
  { rule: 'quote', checked: 'the earlier quote for the operation' },
  (request) => {
    const kept = keep(request);
    const own = kept.ok ? undefined : withOwnGas(request);
    return own === undefined ? kept : keep(own);
  },
);

function keep(request: Needed): Result<Kept> {
  const kept = quotedGrant(request);
  return kept.ok ? accept({ operation: request.operation, grant: kept.value }) : kept;
}

/** The request with our own gas limits; undefined where its limits are no bundler's. */
export function withOwnGas<Request extends WithGas & WithOwnGas>(request: Request): Request | undefined {
  const { operation, ownGas } = request;
  return ownGas === undefined ? undefined : { ...request, operation: { ...operation, gas: ownGas }, ownGas: undefined };
}

/** The grant as {@link keepQuote} keeps it. */
export function quotedGrant(request: Needed): Result<TokenGrant> {
  const { parts, contract, operation, grant, quote } = request;
  const { family } = contract;
  if (quote === undefined) return accept(grant);
  const asked = family.maximumTokenCharge(operation, grant);
  if (asked <= quote.maximum) return accept(grant);

  const shortest = unixSeconds(parts.clock) + parts.validity.minSeconds;
  // The rate of another share is never granted: what it leaves to the sponsor is counted in no limit now.
  if (quote.userPercent !== request.userPercent) return refuse(aboveQuote(quote, asked));
  const quoted: TokenGrant = {
    ...grant,
    exchangeRate: quote.exchangeRate,
    validUntil: Math.min(grant.validUntil, Math.max(quote.validUntil, shortest)),
  };
  if (family.maximumTokenCharge(operation, quoted) <= quote.maximum) return accept(quoted);
  return refuse(aboveQuote(quote, asked));
}

function aboveQuote({ maximum }: GivenQuote, asked: bigint): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'QUOTE',
    message: `The operation can cost up to ${asked} base units of the token, more than the quoted ${maximum}. Request a new quote.`,
    details: { limit: 'quotedMaximum', quoted: maximum.toString(), asked: asked.toString() },
  };
}
