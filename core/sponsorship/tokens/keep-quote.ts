import { unixSeconds } from '../../base/time/clock.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { requiredGas } from '../../evm/entry-point/entry-points.ts';
import type { TokenTerms } from '../../evm/paymaster-contracts/family/family.ts';
import type { GivenQuote, QuoteKey } from '../../quotes/quote-store.ts';
import { isEstimated, type WithGas, type WithOwnGas } from '../gas/choose-gas.ts';
import { approvalGasAllowance, findGasLimits } from '../gas/find-gas-limits.ts';
import { withSafeSignatures } from '../gas/safe-signatures.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, noted, type Step, type UserPays } from '../run/steps.ts';
import type { TokenRatesNow } from './read-token-rates.ts';
import { type GivenPermit, tokenTerms } from './token-terms.ts';

type Quotable = Asked & Identified & ReadOperation & TokenRatesNow & UserPays & GivenPermit;

/** The limits for the quotes, with room for an approval that the client may add, or for its permit. */
export const chooseQuotedGas: Step<Quotable, WithGas> = noted(
  {
    rule: 'gas-limits',
    finding: ({ context }) => ['gas-limits', isEstimated(context)],
  },
  async (asked: Quotable) => {
    const { context, rates, window } = asked;
    const [first] = rates;
    if (first === undefined) throw new Error('There is no token to quote in.');
    const operation = await withSafeSignatures(asked.chain.client, asked.operation);
    const request = { ...asked, operation };
    const gas = await findGasLimits(request, {
      calculate: isEstimated(context),
      signedTerms: tokenTerms(request, first, window),
      callGasAllowance: request.permit === undefined ? approvalGasAllowance : 0n,
      // A higher maximum does no harm, and `pm_getPaymasterData` raises the limits that it signs.
      withoutUnseenGas: 'raise',
      tokens: rates.map(({ token }) => token.address),
    });
    if (!gas.ok) return gas;
    const { limits, ownLimits = limits } = gas.value;
    const chosen = { ...operation, gas: limits };
    const own = { ...operation, gas: ownLimits };
    // Our own limits are signed if a bundler's exceed the quote, so the quote must cover them.
    return accept({ operation: requiredGas(own) > requiredGas(chosen) ? own : chosen });
  },
);

/** The key of a quote for this operation in this token. */
export function quoteKey(
  { profile }: Pick<Identified, 'profile'>,
  operation: Pick<QuoteKey, 'sender' | 'nonce'>,
  token: QuoteKey['token'],
) {
  const { paymasterId } = profile.paymaster;
  return { paymasterId, sender: operation.sender, nonce: operation.nonce, token } satisfies QuoteKey;
}

/** The operation's quote in its token; undefined if there is none, or none that is still valid. */
export type Quoted = { readonly quote: GivenQuote | undefined };

type Needed = Asked & Identified & WithGas & Quoted & UserPays & { readonly signedTerms: TokenTerms };
type Kept = WithGas & { readonly signedTerms: TokenTerms };

/** Looks up the quote, from any process. */
export const findQuote: Step<Omit<Needed, 'quote'>, Quoted> = (request) => {
  const { parts, operation, signedTerms } = request;
  const found = parts.quotes.find(quoteKey(request, operation, signedTerms.token));
  return found instanceof Promise ? found.then((quote) => accept({ quote })) : accept({ quote: found });
};

/**
 * Keeps to the quote: the terms to sign never take more from the user than a valid quote said. If the price has risen
 * since, the quoted rate is granted instead, until the quote ends (or for the shortest signature lifetime, if that is
 * longer). If a bundler's gas limits raise the operation above the quote, our own are signed. If the operation itself has
 * become more expensive (more gas, a higher gas price), no rate of ours helps and the client must ask again:
 * `LIMIT_EXCEEDED` with the limit `quotedMaximum`. Without a valid quote the terms stay unchanged.
 */
export const keepQuote: Step<Needed & WithOwnGas, Kept> = noted({ rule: 'quote', finding: ['quote'] }, (request) => {
  const kept = keep(request);
  const own = kept.ok ? undefined : withOwnGas(request);
  return own === undefined ? kept : keep(own);
});

function keep(request: Needed): Result<Kept> {
  const kept = quotedTerms(request);
  return kept.ok ? accept({ operation: request.operation, signedTerms: kept.value }) : kept;
}

/** The request with our own gas limits; undefined if its limits are not a bundler's. */
export function withOwnGas<Request extends WithGas & WithOwnGas>(request: Request): Request | undefined {
  const { operation, ownGas } = request;
  return ownGas === undefined ? undefined : { ...request, operation: { ...operation, gas: ownGas }, ownGas: undefined };
}

/** The terms according to {@link keepQuote}. */
export function quotedTerms(request: Needed): Result<TokenTerms> {
  const { parts, contract, operation, signedTerms, quote } = request;
  const { family } = contract;
  if (quote === undefined) return accept(signedTerms);
  const asked = family.maximumTokenCharge(operation, signedTerms);
  if (asked <= quote.maximum) return accept(signedTerms);

  const shortest = unixSeconds(parts.clock) + parts.validity.minSeconds;
  // The rate of another share is never granted: no limit counts its sponsored part now.
  if (quote.userPercent !== request.userPercent) return refuse(aboveQuote(quote, asked));
  const quoted: TokenTerms = {
    ...signedTerms,
    exchangeRate: quote.exchangeRate,
    validUntil: Math.min(signedTerms.validUntil, Math.max(quote.validUntil, shortest)),
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
