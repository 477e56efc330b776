import type { Address } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { createFairCache } from '../base/values/fair-cache.ts';
import type { Store } from '../store/store.ts';

/** Seconds between two prunings of expired quotes. */
const betweenPrunings = 60;
/** Most expired quotes deleted at once. */
const prunedAtOnce = 1_000;

/**
 * Keeps quotes in the database, shared by several processes: a quote from one process binds another that is asked for the
 * signature. Concurrent quotes are written in one transaction.
 */
export function createSharedQuoteStore({ store, clock, logger }: Parts): QuoteStore {
  let batch: { readonly quotes: Map<string, GivenQuote>; readonly written: Promise<void> } | undefined;
  let prunedAt = 0;

  /** Collects quotes until its transaction starts. */
  function openBatch() {
    const quotes = new Map<string, GivenQuote>();
    const written = store.transaction(async (transaction) => {
      batch = undefined;
      const rows = [...quotes].map(([name, quote]) => ({
        name,
        maximum: quote.maximum.toString(),
        exchange_rate: quote.exchangeRate.toString(),
        valid_until: quote.validUntil,
        user_percent: quote.userPercent,
      }));
      await transaction
        .insertInto('quotes')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet(({ ref }) => ({
            maximum: ref('excluded.maximum'),
            exchange_rate: ref('excluded.exchange_rate'),
            valid_until: ref('excluded.valid_until'),
            user_percent: ref('excluded.user_percent'),
          })),
        )
        .execute();
    });
    const opened = { quotes, written };
    // If the transaction never starts.
    written.catch(() => {
      if (batch === opened) batch = undefined;
    });
    return opened;
  }

  return {
    async remember(given) {
      if (given.length === 0) return;
      batch ??= openBatch();
      const { quotes, written } = batch;
      for (const [key, quote] of given) quotes.set(nameOf(key), quote);
      const now = unixSeconds(clock);
      if (now - prunedAt >= betweenPrunings) {
        prunedAt = now;
        written
          .then(() => pruneQuotes(store, now))
          .catch((error) => logger.error({ err: error }, 'Expired quotes could not be deleted'));
      }
      await written;
    },
    async find(key) {
      const row = await store.db
        .selectFrom('quotes')
        .select(['maximum', 'exchange_rate', 'valid_until', 'user_percent'])
        .where('name', '=', nameOf(key))
        .where('valid_until', '>=', Math.ceil(clock.now() / 1_000))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { maximum, exchange_rate: rate, valid_until: validUntil, user_percent: userPercent } = row;
      return { maximum: BigInt(maximum), exchangeRate: BigInt(rate), validUntil, userPercent };
    },
  };
}

type Parts = { readonly store: Store; readonly clock: Clock; readonly logger: Logger };

/** Deletes expired quotes in several turns: a minute may bring more than one turn can delete. */
async function pruneQuotes(store: Store, now: number): Promise<void> {
  const pruneSome = () =>
    store.transaction(async (transaction) => {
      const ended = transaction.selectFrom('quotes').select('name').where('valid_until', '<', now).limit(prunedAtOnce);
      const { numDeletedRows } = await transaction
        .deleteFrom('quotes')
        .where('name', 'in', ended)
        .executeTakeFirstOrThrow();
      return numDeletedRows;
    });
  while ((await pruneSome()) >= BigInt(prunedAtOnce));
}

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

function nameOf({ paymasterId, sender, nonce, token }: QuoteKey): string {
  return `${paymasterId} ${sender} ${nonce.toString(36)} ${token}`.toLowerCase();
}
