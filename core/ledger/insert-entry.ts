import { sql } from 'kysely';
import type { EventPosition } from '../node/chain-event.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import type { SeenCoinPrice } from '../quotes/last-coin-price.ts';
import type { Database } from '../store/database.ts';
import { fixedStatement, type Statement } from '../store/statements/fixed-statement.ts';
import { toWeiText } from '../store/wei.ts';
import { rollbacksOfTank } from './reversals.ts';

/** When something is posted, in Unix seconds, and what the chain's coin is worth then; absent when that is not known. */
export type Booking = { readonly now: number; readonly coinPrice?: SeenCoinPrice };

/** An entry of a tank; `at` is the event on chain that it is for, if any. `now` in Unix seconds. */
type NewEntry = {
  readonly tankId: number;
  readonly kind: Database['entries']['kind'];
  /** Wei. */
  readonly amount: bigint;
  readonly holdId: number | null;
  readonly at: EventPosition | undefined;
  readonly now: number;
  readonly worth?: BookedWorth | undefined;
};

/** A statement that writes an entry, and returns its id. */
export function insertEntry({
  tankId,
  kind,
  amount,
  holdId,
  at,
  now,
  worth,
}: NewEntry): Statement<{ entry_id: number }> {
  return insert({
    ...{ tankId, kind, amount: toWeiText(amount), holdId, now },
    ...{ txHash: at?.txHash ?? null, logIndex: at?.logIndex ?? null },
    blockNumber: at === undefined ? null : Number(at.blockNumber),
    isOnChain: at === undefined ? 0 : 1,
    usdMicros: worth?.usd_micros ?? null,
    usdMicrosPerCoin: worth?.usd_micros_per_coin ?? null,
    pricedAt: worth?.priced_at ?? null,
  });
}

type EntryRow = Pick<NewEntry, 'tankId' | 'kind' | 'holdId' | 'now'> & {
  readonly amount: string;
  readonly txHash: string | null;
  readonly isOnChain: 0 | 1;
} & Readonly<Record<'logIndex' | 'blockNumber' | 'usdMicros' | 'usdMicrosPerCoin' | 'pricedAt', number | null>>;

const insert = fixedStatement<EntryRow>()(({ db, value }) =>
  db
    .insertInto('entries')
    .values({
      tank_id: value('tankId'),
      kind: value('kind'),
      amount: value('amount'),
      hold_id: value('holdId'),
      tx_hash: value('txHash'),
      log_index: value('logIndex'),
      block_number: value('blockNumber'),
      // PostgreSQL reads a parameter without a column or a type as text.
      rewind: sql<number>`CASE CAST(${value('isOnChain')} AS BIGINT) WHEN 1 THEN ${rollbacksOfTank(value('tankId'))} ELSE 0 END`,
      created_at: value('now'),
      usd_micros: value('usdMicros'),
      usd_micros_per_coin: value('usdMicrosPerCoin'),
      priced_at: value('pricedAt'),
    })
    .returning('entry_id'),
);

/** What wei were worth, in millionths of a USD, as the columns of an entry. */
export type BookedWorth = {
  readonly usd_micros: number;
  readonly usd_micros_per_coin: number;
  readonly priced_at: number;
};

/** Undefined without a price, and where the numbers exceed any real one. */
export function worthWhenBooked(wei: bigint, price: SeenCoinPrice | undefined): BookedWorth | undefined {
  if (price === undefined) return undefined;
  const { usdMicrosPerCoin, at } = price;
  const usdMicros = worthUsdMicros(wei, usdMicrosPerCoin);
  if (usdMicros > Number.MAX_SAFE_INTEGER || usdMicrosPerCoin > Number.MAX_SAFE_INTEGER) return undefined;
  return { usd_micros: Number(usdMicros), usd_micros_per_coin: Number(usdMicrosPerCoin), priced_at: at };
}
