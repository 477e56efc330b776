import { type AliasedRawBuilder, sql, type Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** A paymaster contract as the books name it. */
export type ContractPlace = { readonly chainId: number; readonly contract: string };

type PlaceColumns = { readonly chain_id: number; readonly contract: string };

/** The contracts as a table `place`: a statement that joins it reads of all of them at once. */
export function placesTable(
  transaction: Transaction<Database>,
  places: readonly ContractPlace[],
): AliasedRawBuilder<PlaceColumns, 'place'> {
  const rows = places.map(({ chainId, contract }) => [chainId, contract]);
  const table = dialectOf(transaction).rows({ chain_id: 'number', contract: 'text' }, rows);
  return sql<PlaceColumns>`${table}`.as('place');
}

/** What was read of each contract, in their order. */
export function sortByPlace<Row extends PlaceColumns>(
  places: readonly ContractPlace[],
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const byPlace = groupBy(rows, ({ chain_id, contract }) => `${chain_id} ${contract}`);
  return places.map(({ chainId, contract }) => byPlace.get(`${chainId} ${contract}`) ?? []);
}
