import type { Address } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import { createFairCache } from '../base/values/fair-cache.ts';

/** The subject of a quote. */
export type QuoteKey = {
  readonly paymasterId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly token: Address;
};

/** The content of a quote. */
export type GivenQuote = {
  /** The most the operation may take from the user, in token base units. */
  readonly maximum: bigint;
  /** The rate of the computation, premium included, in token base units for 10^18 wei. */
  readonly exchangeRate: bigint;
  /** The user's share of the gas at this rate, in percent. */
  readonly userPercent: number;
  /** Unix seconds; the quote binds us until then, inclusive. */
  readonly validUntil: number;
};

/** The quotes that are still valid: one per paymaster, sender, nonce and token. */
export type QuoteStore = {
  /** Replaces earlier quotes for the same subjects. The quotes are binding once this resolves. */
  remember(given: readonly (readonly [QuoteKey, GivenQuote])[]): void | Promise<void>;
  /** The latest quote, while it is valid. */
  find(key: QuoteKey): GivenQuote | undefined | Promise<GivenQuote | undefined>;
};

/**
 * Most quotes kept at once, about 30 MB. Beyond it, the paymaster with the most quotes loses the least recently used one.
 */
const maxQuotes = 100_000;

/**
 * Keeps quotes in memory, for a single process. A quote is a courtesy to the user and not part of the ledger: after a
 * restart, the account's allowance still bounds what can be taken.
 */
export function createQuoteStore(clock: Clock, capacity = maxQuotes): QuoteStore {
  const quotes = createFairCache<GivenQuote>(capacity);
  return {
    remember(given) {
      for (const [key, quote] of given) quotes.set(key.paymasterId, nameOf(key), quote);
    },
    find: (key) => {
      const name = nameOf(key);
      const quote = quotes.get(key.paymasterId, name);
      if (quote === undefined || clock.now() <= quote.validUntil * 1_000) return quote;
      quotes.delete(key.paymasterId, name);
      return undefined;
    },
  };
}

/** The key of a quote in any store. */
export function nameOf({ paymasterId, sender, nonce, token }: QuoteKey): string {
  return `${paymasterId} ${sender} ${nonce.toString(36)} ${token}`.toLowerCase();
}
