import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { EntryKind } from '../../store/ledger-tables.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';

/** The highest number of an entry that was archived. */
export async function readArchivedUntil(snapshot: Transaction<Database>): Promise<number> {
  const row = await snapshot.selectFrom('ledger_archive').select('entries_until').executeTakeFirst();
  return row?.entries_until ?? 0;
}

/**
 * Entries of one contract, tank and kind, with the sums of what they did; those that reverse others are below zero. `isRemote`:
 * they carry a transaction of the chain.
 */
export type AddedEntries = {
  readonly contractId: number;
  readonly tankId: number | undefined;
  readonly kind: EntryKind;
  readonly isRemote: boolean;
  /** Wei. */
  readonly amount: bigint;
  readonly moved: bigint;
  readonly count: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

/** The sums of archived entries. */
export async function readArchivedEntries(snapshot: Transaction<Database>): Promise<readonly AddedEntries[]> {
  const rows = await snapshot
    .selectFrom('archived_entries')
    .select(({ fn }) => [
      'contract_id',
      'tank_id',
      'kind',
      sumWei('amount').as('amount'),
      sumWei('moved').as('moved'),
      fn.sum<number>('entries').as('count'),
      fn.sum<number>('priced').as('priced'),
      sql<string>`CAST(sum(usd_micros) AS TEXT)`.as('usd_micros'),
    ])
    .groupBy(['contract_id', 'tank_id', 'kind'])
    .execute();
  return rows.map((row) => ({
    contractId: row.contract_id,
    tankId: row.tank_id === 0 ? undefined : row.tank_id,
    kind: row.kind,
    isRemote: true,
    amount: fromWeiSum(row.amount),
    moved: fromWeiSum(row.moved),
    count: Number(row.count),
    priced: Number(row.priced),
    usdMicros: BigInt(row.usd_micros),
  }));
}

/** The sums of the entries after one number, up to another. */
export async function readEntriesBetween(
  snapshot: Transaction<Database>,
  after: number,
  until: number,
): Promise<readonly AddedEntries[]> {
  const rows = await snapshot
    .selectFrom('journal')
    .select(({ eb, fn }) => [
      'contract_id',
      'tank_id',
      'kind',
      fn.countAll<number>().as('count'),
      fn.count<number>('usd_micros').as('priced'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd_micros'),
      eb('tx_hash', 'is not', null).as('placed'),
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('amount'),
      sumWei('moved').as('moved'),
    ])
    .where('entry_id', '>', after)
    .where('entry_id', '<=', until)
    .groupBy((eb) => ['contract_id', 'tank_id', 'kind', eb('tx_hash', 'is not', null), eb('reverses', 'is not', null)])
    .execute();
  return rows.map((row) => {
    const sign = row.back ? -1 : 1;
    return {
      contractId: row.contract_id,
      tankId: row.tank_id ?? undefined,
      kind: row.kind,
      isRemote: Boolean(row.placed),
      amount: BigInt(sign) * fromWeiSum(row.amount),
      moved: BigInt(sign) * fromWeiSum(row.moved),
      count: sign * row.count,
      priced: sign * row.priced,
      usdMicros: BigInt(sign) * BigInt(row.usd_micros),
    };
  });
}

/**
 * The sums of a tank's entries, in wei; `onChain` is what the contract has for its wallet according to them, and `cost` what the
 * EntryPoint took for what it settled. Of that: how many operations there are, how many of them had a price, and what they were
 * worth at it, in millionths of a USD.
 */
export type TankEntries = {
  readonly funded: bigint;
  readonly settled: bigint;
  readonly onChain: bigint;
  readonly cost: bigint;
  readonly operations: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

export const noTankEntries: TankEntries = {
  funded: 0n,
  settled: 0n,
  onChain: 0n,
  cost: 0n,
  operations: 0,
  priced: 0,
  usdMicros: 0n,
};

/** A tank's sums including these entries. */
export function addToTank(sums: TankEntries, added: AddedEntries): TankEntries {
  const { funded, settled, onChain } = sums;
  const { kind, amount, isRemote } = added;
  const forDeposit = isRemote ? amount : 0n;
  switch (kind) {
    case 'deposit':
      return { ...sums, funded: funded + amount, onChain: onChain + amount };
    case 'withdrawal':
      return { ...sums, funded: funded - amount, onChain: onChain - amount };
    case 'credit':
      return { ...sums, funded: funded + amount, onChain: onChain + forDeposit };
    case 'debit':
      return { ...sums, funded: funded - amount, onChain: onChain - forDeposit };
    case 'settle':
      return {
        funded,
        settled: settled + amount,
        onChain: onChain - amount,
        cost: sums.cost + added.moved,
        operations: sums.operations + added.count,
        priced: sums.priced + added.priced,
        usdMicros: sums.usdMicros + added.usdMicros,
      };
    case 'release':
    case 'cost':
      return sums;
  }
}

/** The sums of what a paymaster contract's entries moved, in wei. */
export type ContractEntries = {
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  readonly costs: bigint;
  /** The part of the costs that no tank paid. */
  readonly unexplainedCosts: bigint;
};

export const noContractEntries: ContractEntries = { deposits: 0n, withdrawals: 0n, costs: 0n, unexplainedCosts: 0n };

/** A contract's sums including these entries. */
export function addToContract(sums: ContractEntries, { kind, moved }: AddedEntries): ContractEntries {
  switch (kind) {
    case 'deposit':
      return { ...sums, deposits: sums.deposits + moved };
    case 'withdrawal':
      return { ...sums, withdrawals: sums.withdrawals + moved };
    case 'settle':
      return { ...sums, costs: sums.costs + moved };
    case 'cost':
      return { ...sums, costs: sums.costs + moved, unexplainedCosts: sums.unexplainedCosts + moved };
    case 'credit':
    case 'debit':
    case 'release':
      return sums;
  }
}
