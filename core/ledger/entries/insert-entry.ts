import { sql } from 'kysely';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { rollbacksOfTank } from '../reversals/current-rollback.ts';
import type { BookedWorth } from './worth-when-booked.ts';

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
