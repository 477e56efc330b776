import { sql, type Transaction } from 'kysely';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import { toTankSums } from '../holds/read-available-funds.ts';
import { type ContractKey, contractsTable, sortByContract } from '../tanks/locate-tank.ts';
import type { TankEntries } from './entry-sums.ts';
import type { LedgerSums } from './row-sums.ts';

/** A tank's stored sums, and the sums of its rows, in wei. */
export type AddedUpTank = {
  readonly wallet: string;
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly entries: TankEntries;
  readonly byDay: SettledSums;
  readonly liveHolds: bigint;
};

/**
 * What a tank settled, by the sums of its days, and what of that the EntryPoint took, in wei; how many operations that were, how
 * many of them had a price, and what they were worth by it, in millionths of a USD.
 */
type SettledSums = {
  readonly wei: bigint;
  readonly cost: bigint;
  readonly operations: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

const nothingSettled: SettledSums = { wei: 0n, cost: 0n, operations: 0, priced: 0, usdMicros: 0n };

/** The tanks of each contract. Each kind of row is read once for all of them, because there can be many thousands. */
export async function addUpTanks(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
  known: { readonly rows: LedgerSums; readonly live: LiveHolds },
): Promise<readonly (readonly AddedUpTank[])[]> {
  const rows = await tanksOf(transaction, places)
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.tank_id', 'tanks.wallet'])
    .select(['tanks.funded', 'tanks.settled', 'tanks.held'])
    .execute();
  const settledDays = await sumSettledDays(transaction, places);
  const toTank = (row: (typeof rows)[number]): AddedUpTank => ({
    wallet: row.wallet,
    ...toTankSums(row),
    entries: known.rows.ofTank(row.tank_id),
    byDay: settledDays.get(row.tank_id) ?? nothingSettled,
    liveHolds: known.live.get(row.tank_id) ?? 0n,
  });
  const tanks: (readonly AddedUpTank[])[] = [];
  for (const ofPlace of sortByContract(places, rows)) tanks.push(await mapInTurns(ofPlace, toTank));
  return tanks;
}

function tanksOf(transaction: Transaction<Database>, places: readonly ContractKey[]) {
  return transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('tanks_with_held as tanks', (join) =>
      join.onRef('tanks.chain_id', '=', 'place.chain_id').onRef('tanks.contract', '=', 'place.contract'),
    );
}

async function sumSettledDays(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
): Promise<ReadonlyMap<number, SettledSums>> {
  const rows = await tanksOf(transaction, places)
    .innerJoin('tank_days', 'tank_days.tank_id', 'tanks.tank_id')
    .select(['tanks.tank_id', 'tank_days.back'])
    .select([sumWei('tank_days.wei').as('wei'), sumWei('tank_days.cost').as('cost')])
    .select(({ fn }) => [
      fn.sum<number>('tank_days.operations').as('operations'),
      fn.sum<number>('tank_days.priced').as('priced'),
      sql<string>`CAST(sum(tank_days.usd_micros) AS TEXT)`.as('usd_micros'),
    ])
    .groupBy(['tanks.tank_id', 'tank_days.back'])
    .execute();
  const sums = new Map<number, SettledSums>();
  await mapInTurns(rows, (row) => {
    const before = sums.get(row.tank_id) ?? nothingSettled;
    const sign = row.back === 1 ? -1 : 1;
    sums.set(row.tank_id, {
      wei: before.wei + BigInt(sign) * fromWeiSum(row.wei),
      cost: before.cost + BigInt(sign) * fromWeiSum(row.cost),
      operations: before.operations + sign * row.operations,
      priced: before.priced + sign * row.priced,
      usdMicros: before.usdMicros + BigInt(sign) * BigInt(row.usd_micros),
    });
  });
  return sums;
}

/** The sums of each tank's live holds, in wei. One read is enough for the ledgers of many contracts. */
export type LiveHolds = ReadonlyMap<number, bigint>;

export async function readLiveHolds(transaction: Transaction<Database>): Promise<LiveHolds> {
  const rows = await transaction
    .selectFrom('holds')
    .select(['tank_id', sumWei('amount').as('sum')])
    // A literal, or the index of these holds is not used.
    .where('state', '=', sql.lit('live'))
    .groupBy('tank_id')
    .execute();
  return new Map(rows.map(({ tank_id, sum }) => [tank_id, fromWeiSum(sum)]));
}
