import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { type ContractPlace, placesTable, sortByPlace } from '../tanks/contract-places.ts';
import type { EntrySums } from './entry-sums.ts';
import type { OpenAtTank, OpenSums } from './open-sums.ts';
import type { BookSums } from './row-sums.ts';

/** A tank's kept sums, and what its rows add up to. Wei. */
export type AddedUpTank = {
  readonly wallet: string;
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly shortfall: bigint;
  readonly entries: EntrySums;
  readonly spending: bigint;
  /** By the sums of its days, and what of that the EntryPoint took. */
  readonly settledByDay: bigint;
  readonly costByDay: bigint;
  readonly open: OpenAtTank;
};

/** The tanks of each contract. Each kind of row is read once for all of them: there can be many thousands. */
export async function addUpTanks(
  transaction: Transaction<Database>,
  places: readonly ContractPlace[],
  known: { readonly rows: BookSums; readonly open: OpenSums },
): Promise<readonly (readonly AddedUpTank[])[]> {
  const rows = await tanksOf(transaction, places)
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.tank_id', 'tanks.wallet'])
    .select(['tanks.funded', 'tanks.settled', 'tanks.held', 'tanks.shortfall'])
    .execute();
  const spending = await sumSpending(transaction, places);
  const settledDays = await sumSettledDays(transaction, places);
  return sortByPlace(places, rows).map((ofPlace) =>
    ofPlace.map((row) => ({
      wallet: row.wallet,
      funded: fromWeiText(row.funded),
      settled: fromWeiText(row.settled),
      held: fromWeiText(row.held),
      shortfall: fromWeiText(row.shortfall),
      entries: known.rows.entriesOf(row.tank_id),
      spending: spending.get(row.tank_id) ?? 0n,
      settledByDay: settledDays.get(row.tank_id)?.wei ?? 0n,
      costByDay: settledDays.get(row.tank_id)?.cost ?? 0n,
      open: known.open.of(row.tank_id),
    })),
  );
}

function tanksOf(transaction: Transaction<Database>, places: readonly ContractPlace[]) {
  return transaction
    .selectFrom(placesTable(transaction, places))
    .innerJoin('tanks', (join) =>
      join.onRef('tanks.chain_id', '=', 'place.chain_id').onRef('tanks.contract', '=', 'place.contract'),
    );
}

async function sumSpending(
  transaction: Transaction<Database>,
  places: readonly ContractPlace[],
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await tanksOf(transaction, places)
    .innerJoin('tank_spending', 'tank_spending.tank_id', 'tanks.tank_id')
    .select(['tanks.tank_id', sumWei('tank_spending.spent').as('sum')])
    .groupBy('tanks.tank_id')
    .execute();
  return new Map(rows.map(({ tank_id, sum }) => [tank_id, fromWeiSum(sum)]));
}

async function sumSettledDays(
  transaction: Transaction<Database>,
  places: readonly ContractPlace[],
): Promise<ReadonlyMap<number, { readonly wei: bigint; readonly cost: bigint }>> {
  const rows = await tanksOf(transaction, places)
    .innerJoin('settled_days', 'settled_days.tank_id', 'tanks.tank_id')
    .select([
      'tanks.tank_id',
      'settled_days.back',
      sumWei('settled_days.wei').as('wei'),
      sumWei('settled_days.cost').as('cost'),
    ])
    .groupBy(['tanks.tank_id', 'settled_days.back'])
    .execute();
  const sums = new Map<number, { readonly wei: bigint; readonly cost: bigint }>();
  for (const { tank_id, back, wei, cost } of rows) {
    const before = sums.get(tank_id) ?? { wei: 0n, cost: 0n };
    const sign = back === 1 ? -1n : 1n;
    sums.set(tank_id, { wei: before.wei + sign * fromWeiSum(wei), cost: before.cost + sign * fromWeiSum(cost) });
  }
  return sums;
}
