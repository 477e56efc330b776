import { type AliasedRawBuilder, sql, type Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** The key of a paymaster contract in the ledger. */
export type ContractKey = { readonly chainId: number; readonly contract: string };

type ContractColumns = { readonly chain_id: number; readonly contract: string };

/** The contracts as a table `location`: a statement that joins it reads the data of all of them at once. */
export function contractsTable(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
): AliasedRawBuilder<ContractColumns, 'place'> {
  const rows = places.map(({ chainId, contract }) => [chainId, contract]);
  const table = dialectOf(transaction).rows({ chain_id: 'number', contract: 'text' }, rows);
  return sql<ContractColumns>`${table}`.as('place');
}

/** What was read for each contract, in their order. */
export function sortByContract<Row extends ContractColumns>(
  places: readonly ContractKey[],
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const byPlace = groupBy(rows, ({ chain_id, contract }) => `${chain_id} ${contract}`);
  return places.map(({ chainId, contract }) => byPlace.get(`${chainId} ${contract}`) ?? []);
}
