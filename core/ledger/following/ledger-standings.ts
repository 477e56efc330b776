import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/**
 * The state of a contract's ledger: in step with the chain, catching up, or in a state in which nothing may be signed, with
 * the reason in words.
 */
export type LedgerStanding =
  | { readonly state: 'kept' | 'reading'; readonly fault?: never }
  | { readonly state: 'stopped'; readonly fault: string };

/** The state as it was published: how long ago, in milliseconds by the clock of the database. */
type PublishedStanding = LedgerStanding & { readonly age: number };

/** The states of one chain's ledgers, by contract, and the settings they are kept with. */
export type PublishedLedger = {
  readonly standings: ReadonlyMap<string, PublishedStanding>;
  readonly settings?: string;
};

/** Writes the state of a chain's ledgers, for the other processes that use the database. */
export async function writeStandings(
  trx: Transaction<Database>,
  { chainId, standings, settings }: Reported,
): Promise<void> {
  const reported = { told_at: dialectOf(trx).now };
  for (const [contract, { state, fault = null }] of standings) {
    await trx
      .insertInto('book_standings')
      .values({ chain_id: chainId, contract, state, fault, ...reported })
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doUpdateSet({ state, fault, ...reported }))
      .execute();
  }
  await trx
    .insertInto('chain_settings')
    .values({ chain_id: chainId, settings })
    .onConflict((conflict) => conflict.column('chain_id').doUpdateSet({ settings }))
    .execute();
}

type Reported = {
  readonly chainId: number;
  readonly standings: ReadonlyMap<Address, LedgerStanding>;
  readonly settings: string;
};

/** Reads the published state of a chain's ledgers. */
export async function readStandings(db: Kysely<Database>, chainId: number): Promise<PublishedLedger> {
  const { now } = dialectOf(db);
  const rows = await db
    .selectFrom('book_standings')
    .select(['contract', 'state', 'fault', 'told_at', now.as('now')])
    .where('chain_id', '=', chainId)
    .execute();
  const kept = await db
    .selectFrom('chain_settings')
    .select('settings')
    .where('chain_id', '=', chainId)
    .executeTakeFirst();
  const standings = new Map(rows.map((row) => [row.contract, { ...toStanding(row), age: row.now - row.told_at }]));
  return { standings, ...omitAbsent({ settings: kept?.settings }) };
}

function toStanding({ state, fault }: { state: LedgerStanding['state']; fault: string | null }): LedgerStanding {
  return state === 'stopped' ? { state, fault: fault ?? '' } : { state };
}
