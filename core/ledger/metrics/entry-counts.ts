import { sql, type Transaction } from 'kysely';
import type { GasTankEntryKind } from '../../domain/gas-tank.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';

/** Entries that are added up at once: the thread that reads has other work too. */
export const maxEntriesAtOnce = 20_000;

/**
 * New entries of one contract's tanks that have these values in common. `mode` and `success` are those of the hold, where it
 * has them.
 */
export type EntryCount = {
  readonly chainId: number;
  readonly contract: string;
  readonly kind: GasTankEntryKind;
  readonly isReversal: boolean;
  readonly mode?: SponsorshipMode;
  readonly success?: boolean;
  readonly entries: number;
  /** Sum of the amounts, in wei. */
  readonly amount: bigint;
  /** Of `settle`: what tanks paid where users had to and did not, in wei. */
  readonly unpaid: bigint;
};

/** The id of the newest entry; 0 without any. */
export async function newestEntry(db: Pick<Transaction<Database>, 'selectFrom'>): Promise<number> {
  const { newest } = await db
    .selectFrom('entries')
    .select(({ fn }) => fn.max<number | null>('entry_id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * Adds up the entries after the one with the id `after`, at most `maxEntriesAtOnce` of them. Entries never change, so each
 * is added up once; `until` is where the next call continues, and `isAll` says that there was nothing after it.
 */
export function countEntries(
  store: Store,
  after: number,
): Promise<{ readonly until: number; readonly isAll: boolean; readonly counts: readonly EntryCount[] }> {
  return store.read(async (snapshot) => {
    const newest = await newestEntry(snapshot);
    const until = Math.min(after + maxEntriesAtOnce, newest);
    return { until, isAll: until === newest, counts: await addUp(snapshot, after, until) };
  });
}

async function addUp(snapshot: Transaction<Database>, after: number, until: number): Promise<readonly EntryCount[]> {
  const rows = await snapshot
    .selectFrom('entries as entry')
    .innerJoin('tanks as tank', 'tank.tank_id', 'entry.tank_id')
    .leftJoin('holds as hold', 'hold.hold_id', 'entry.hold_id')
    .select(({ fn }) => [
      'tank.chain_id',
      'tank.contract',
      'entry.kind',
      sql<number>`CASE WHEN entry.reverses IS NULL THEN 0 ELSE 1 END`.as('is_reversal'),
      sql<
        number | null
      >`CASE WHEN entry.hold_id IS NULL THEN NULL WHEN hold.counted IS NULL OR hold.user_percent IS NOT NULL THEN 1 ELSE 0 END`.as(
        'in_tokens',
      ),
      'hold.success',
      fn.countAll<number>().as('entries'),
      sumWei('entry.amount').as('amount'),
      sumWei('hold.unpaid').as('unpaid'),
    ])
    .where('entry.entry_id', '>', after)
    .where('entry.entry_id', '<=', until)
    .groupBy(['tank.chain_id', 'tank.contract', 'entry.kind', 'is_reversal', 'in_tokens', 'hold.success'])
    .execute();
  return rows.map((row) => ({
    chainId: row.chain_id,
    contract: row.contract,
    kind: row.kind,
    isReversal: row.is_reversal === 1,
    ...(row.in_tokens === null ? {} : { mode: row.in_tokens === 1 ? 'ERC20' : 'SPONSORED' }),
    ...(row.success === null ? {} : { success: row.success === 1 }),
    entries: row.entries,
    amount: fromWeiSum(row.amount),
    unpaid: row.kind === 'settle' ? fromWeiSum(row.unpaid) : 0n,
  }));
}
