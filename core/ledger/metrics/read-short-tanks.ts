import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/integers.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { availableWei } from '../holds/read-available-funds.ts';

/** Tanks of one contract that are reported individually. */
export const maxShortTanks = 20;
/** A tank that lasts less than this is low, in days. */
const lowTankDays = 3;

const rateSeconds = 7 * 86_400;
const hourSeconds = 3_600;

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
  const since = now - rateSeconds;
  const total = await snapshot
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .executeTakeFirst();
  const heldOnContract = total === undefined ? 0n : fromWeiText(total.held);
  const rows = await snapshot
    .selectFrom('tanks as tank')
    .innerJoin('tank_spending as spending', 'spending.tank_id', 'tank.tank_id')
    .select(['tank.wallet', 'tank.funded', 'tank.settled', 'tank.held', 'tank.shortfall'])
    .select(sumWei('spending.spent').as('spent'))
    .where('tank.chain_id', '=', chainId)
    .where('tank.contract', '=', contract)
    .where('spending.hour', '>=', since - (since % hourSeconds))
    .groupBy('tank.tank_id')
    .execute();
  const inUse = rows.flatMap(({ wallet, spent, ...sums }): ShortTank[] => {
    const paid = fromWeiSum(spent);
    if (paid <= 0n) return [];
    const funded = fromWeiText(sums.funded) - fromWeiText(sums.shortfall);
    const books = { funded, settled: fromWeiText(sums.settled), held: fromWeiText(sums.held) };
    const left = availableWei(books, heldOnContract, { chainDeposit });
    const available = left > 0n ? left : 0n;
    return [{ wallet, available, daysLeft: daysOf(available, paid) }];
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
