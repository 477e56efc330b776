import type { Address } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import { createFairCache } from '../base/values/fair-cache.ts';

/** What a quote was given for. */
export type QuoteKey = {
  readonly paymasterId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly token: Address;
};

/** What was promised. */
export type GivenQuote = {
  /** The most the operation may take from the user, in token base units. */
  readonly maximum: bigint;
  /** The rate it was computed with, premium included, in token base units for 10^18 wei. */
  readonly exchangeRate: bigint;
  /** What the user pays of the gas at this rate, in percent. */
  readonly userPercent: number;
  /** Unix seconds; up to and including then the quote binds us. */
  readonly validUntil: number;
};

/** The quotes that were given and still hold: one for each paymaster, sender, nonce and token. */
export type QuoteStore = {
  /** Takes the place of earlier quotes for the same. What is remembered binds once this is done. */
  remember(given: readonly (readonly [QuoteKey, GivenQuote])[]): void | Promise<void>;
  /** The latest quote, while it is valid. */
  find(key: QuoteKey): GivenQuote | undefined | Promise<GivenQuote | undefined>;
};

/** Quotes kept at once, some 30 MB. Beyond it the paymaster that has most of them loses the one it used least recently. */
const maxQuotes = 100_000;

/**
 * Remembers quotes in memory, where one process gives and keeps them all. It is a courtesy to the user and not a book of
 * account. After a restart the allowance that the account has given still bounds what can be taken.
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

/** What a quote is filed under, in any book. */
export function nameOf({ paymasterId, sender, nonce, token }: QuoteKey): string {
  return `${paymasterId} ${sender} ${nonce.toString(36)} ${token}`.toLowerCase();
}
