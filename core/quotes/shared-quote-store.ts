import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Store } from '../store/store.ts';
import { type GivenQuote, nameOf, type QuoteStore } from './quote-store.ts';

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
