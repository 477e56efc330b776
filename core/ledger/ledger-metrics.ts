import { sql, type Transaction } from 'kysely';
import { groupBy } from '../base/values/group-by.ts';
import { minBigint } from '../base/values/integers.ts';
import type { GasTankEntryKind } from '../domain/gas-tank.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import { secondsPerDay } from '../domain/utc-days.ts';
import { windowStart } from '../policies/limit-window.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { fromWeiSum, fromWeiText, sumWei } from '../store/wei.ts';
import { availableWei, toTankSums } from './holds/read-available-funds.ts';

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
    .selectFrom('journal')
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
    .selectFrom('journal as entry')
    .innerJoin('tanks as tank', 'tank.tank_id', 'entry.tank_id')
    .leftJoin('holds as hold', 'hold.hold_id', 'entry.hold_id')
    .select(({ fn }) => [
      'tank.chain_id',
      'tank.contract',
      'entry.kind',
      sql<number>`CASE WHEN entry.reverses IS NULL THEN 0 ELSE 1 END`.as('is_reversal'),
      sql<
        number | null
      >`CASE WHEN entry.hold_id IS NULL THEN NULL WHEN hold.limit_wei IS NULL OR hold.user_percent IS NOT NULL THEN 1 ELSE 0 END`.as(
        'in_tokens',
      ),
      'hold.success',
      fn.countAll<number>().as('entries'),
      sumWei('entry.amount').as('amount'),
      sumWei('hold.unpaid').as('unpaid'),
    ])
    .where('entry.entry_id', '>', after)
    .where('entry.entry_id', '<=', until)
    .where('entry.kind', '<>', 'cost')
    .groupBy(['tank.chain_id', 'tank.contract', 'entry.kind', 'is_reversal', 'in_tokens', 'hold.success'])
    .execute();
  return rows.map((row) => ({
    chainId: row.chain_id,
    contract: row.contract,
    kind: row.kind as GasTankEntryKind,
    isReversal: row.is_reversal === 1,
    ...(row.in_tokens === null ? {} : { mode: row.in_tokens === 1 ? 'ERC20' : 'SPONSORED' }),
    ...(row.success === null ? {} : { success: row.success === 1 }),
    entries: row.entries,
    amount: fromWeiSum(row.amount),
    unpaid: row.kind === 'settle' ? fromWeiSum(row.unpaid) : 0n,
  }));
}

/** Tanks of one contract that are reported individually. */
export const maxShortTanks = 20;
/** A tank that lasts less than this is low, in days. */
const lowTankDays = 3;

const rateSeconds = 7 * secondsPerDay;

/** A tank that is in use: what it can still set aside according to the ledger, in wei, and how many days that lasts. */
type ShortTank = { readonly wallet: string; readonly available: bigint; readonly daysLeft: number };

/** `tanks` are those of one contract that last shortest, `inUse` and `low` count all of them. */
export type ShortTanks = { readonly inUse: number; readonly low: number; readonly tanks: readonly ShortTank[] };

/**
 * The contract's tanks that paid for an operation in the last 7 days, and how long each lasts at that rate. An empty tank
 * that is not used any more needs no attention. `now` in Unix seconds; `chainDeposit` in wei, as last seen.
 */
export async function readShortTanks(
  snapshot: Transaction<Database>,
  location: { readonly chainId: number; readonly contract: string; readonly chainDeposit: bigint },
  now: number,
): Promise<ShortTanks> {
  const { chainId, contract, chainDeposit } = location;
  const total = await snapshot
    .selectFrom('contract_totals_with_held')
    .select('held')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .executeTakeFirst();
  const heldOnContract = total === undefined ? 0n : fromWeiText(total.held);
  const rows = await snapshot
    .selectFrom('tanks_with_held as tank')
    .innerJoin('tank_days as spending', 'spending.tank_id', 'tank.tank_id')
    .select(['tank.wallet', 'tank.funded', 'tank.settled', 'tank.held'])
    .select(['spending.back', sumWei('spending.wei').as('spent')])
    .where('tank.chain_id', '=', chainId)
    .where('tank.contract', '=', contract)
    .where('spending.day', '>=', windowStart('day', now - rateSeconds))
    .groupBy(['tank.tank_id', 'tank.wallet', 'tank.funded', 'tank.settled', 'tank.held', 'spending.back'])
    .execute();
  const inUse = [...groupBy(rows, ({ wallet }) => wallet).values()].flatMap((sums): ShortTank[] => {
    const [tank] = sums;
    const paid = sums.reduce((sum, { back, spent }) => sum + (back === 1 ? -fromWeiSum(spent) : fromWeiSum(spent)), 0n);
    if (tank === undefined || paid <= 0n) return [];
    const left = availableWei(toTankSums(tank), heldOnContract, { chainDeposit, walletBalance: undefined });
    const available = left > 0n ? left : 0n;
    return [{ wallet: tank.wallet, available, daysLeft: daysOf(available, paid) }];
  });
  inUse.sort((one, other) => one.daysLeft - other.daysLeft);
  return {
    inUse: inUse.length,
    low: inUse.filter(({ daysLeft }) => daysLeft < lowTankDays).length,
    tanks: inUse.slice(0, maxShortTanks),
  };
}

/** To a thousandth of a day; more than a million days need no distinction. */
function daysOf(available: bigint, paid: bigint): number {
  return Number(minBigint((available * 7_000n) / paid, 10n ** 9n)) / 1_000;
}
