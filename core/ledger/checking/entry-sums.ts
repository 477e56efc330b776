import { sql, type Transaction } from 'kysely';
import type { GasTankEntryKind } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';

/** The highest numbers of rows that were archived. */
export async function readArchivedUntil(
  snapshot: Transaction<Database>,
): Promise<{ readonly entries: number; readonly movements: number }> {
  const row = await snapshot
    .selectFrom('ledger_archive')
    .select(['entries_until', 'movements_until'])
    .executeTakeFirst();
  return { entries: row?.entries_until ?? 0, movements: row?.movements_until ?? 0 };
}

/** The sums of each tank's archived entries, by kind. */
export async function readArchivedEntries(
  snapshot: Transaction<Database>,
): Promise<readonly (AddedEntries & { readonly tankId: number })[]> {
  const rows = await snapshot
    .selectFrom('archived_entries')
    .select(({ fn }) => [
      'tank_id',
      'kind',
      sumWei('amount').as('sum'),
      fn.sum<number>('entries').as('count'),
      fn.sum<number>('priced').as('priced'),
      sql<string>`CAST(sum(usd_micros) AS TEXT)`.as('usd_micros'),
    ])
    .groupBy(['tank_id', 'kind'])
    .execute();
  return rows.map(({ tank_id: tankId, kind, sum, count, priced, usd_micros }) => ({
    ...{ tankId, kind, isRemote: kind === 'settle', wei: fromWeiSum(sum) },
    ...{ count: Number(count), priced: Number(priced), usdMicros: BigInt(usd_micros) },
  }));
}

/** The sums of archived costs, by contract and tank; without a tank where none explains them. */
export async function readArchivedMovements(
  snapshot: Transaction<Database>,
): Promise<readonly { readonly location: string; readonly tankId: number | undefined; readonly wei: bigint }[]> {
  const rows = await snapshot
    .selectFrom('archived_movements')
    .select(['chain_id', 'contract', 'tank_id', sumWei('amount').as('sum')])
    .groupBy(['chain_id', 'contract', 'tank_id'])
    .execute();
  return rows.map(({ chain_id, contract, tank_id, sum }) => ({
    location: `${chain_id} ${contract}`,
    tankId: tank_id === 0 ? undefined : tank_id,
    wei: fromWeiSum(sum),
  }));
}

/**
 * The sums of a tank's entries, in wei; `onChain` is what the contract has for its wallet according to them. For entries
 * that settle: how many there are, how many of them had a price, and what they were worth at it, in millionths of a USD.
 */
export type EntrySums = {
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly shortfall: bigint;
  readonly onChain: bigint;
  readonly operations: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

export const noEntries: EntrySums = {
  funded: 0n,
  settled: 0n,
  held: 0n,
  shortfall: 0n,
  onChain: 0n,
  operations: 0,
  priced: 0,
  usdMicros: 0n,
};

/** Entries of one kind; those that reverse others are below zero. `isRemote`: they carry a transaction of the chain. */
export type AddedEntries = {
  readonly kind: GasTankEntryKind;
  readonly isRemote: boolean;
  readonly wei: bigint;
  readonly count: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

/** The sums including these entries. */
export function addEntries(sums: EntrySums, { kind, isRemote, wei, ...added }: AddedEntries): EntrySums {
  const { funded, settled, held, shortfall, onChain } = sums;
  const forDeposit = isRemote ? wei : 0n;
  switch (kind) {
    case 'deposit':
      return { ...sums, funded: funded + wei, onChain: onChain + wei };
    case 'withdrawal':
      return { ...sums, funded: funded - wei, onChain: onChain - wei };
    case 'credit':
      return { ...sums, funded: funded + wei, onChain: onChain + forDeposit };
    case 'debit':
      return { ...sums, funded: funded - wei, onChain: onChain - forDeposit };
    case 'shortfall':
      return { ...sums, funded: funded + wei, shortfall: shortfall + wei };
    case 'recovery':
      return { ...sums, funded: funded - wei, shortfall: shortfall - wei };
    case 'settle':
      return {
        ...sums,
        settled: settled + wei,
        onChain: onChain - wei,
        operations: sums.operations + added.count,
        priced: sums.priced + added.priced,
        usdMicros: sums.usdMicros + added.usdMicros,
      };
    case 'hold':
      return { ...sums, held: held + wei };
    case 'release':
      return { ...sums, held: held - wei };
  }
}

/** The sums of a paymaster contract's journal, in wei. */
export type MovementSums = {
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  readonly costs: bigint;
  /** The part of the costs that no tank paid. */
  readonly unexplainedCosts: bigint;
};

export const noMovements: MovementSums = { deposits: 0n, withdrawals: 0n, costs: 0n, unexplainedCosts: 0n };

/** Movements of one kind; those that reverse others are below zero. */
type AddedMovements = {
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly isOfNoTank: boolean;
  readonly wei: bigint;
};

/** The sums including these movements. */
export function addMovements(sums: MovementSums, { kind, isOfNoTank, wei }: AddedMovements): MovementSums {
  switch (kind) {
    case 'deposit':
      return { ...sums, deposits: sums.deposits + wei };
    case 'withdrawal':
      return { ...sums, withdrawals: sums.withdrawals + wei };
    case 'cost':
      return {
        ...sums,
        costs: sums.costs + wei,
        unexplainedCosts: sums.unexplainedCosts + (isOfNoTank ? wei : 0n),
      };
  }
}
