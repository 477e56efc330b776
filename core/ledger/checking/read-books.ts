import type { Transaction } from 'kysely';
import type { IdleTank } from '../../domain/ledger/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { type BooksMoment, readBooksMoment } from './books-moment.ts';
import { type ContractBooks, checkContractBooks, type KnownSums } from './check-ledger.ts';
import type { CheckedPlace } from './checked-place.ts';
import { readIdleTanks } from './read-idle-tanks.ts';

/** The books, and of the tanks those that no paymaster pays from. */
export type BooksAndTanks = ContractBooks & { readonly idle: readonly IdleTank[] };

/** A contract's books as of a block; of none before the first. */
export type ReadBooks = { readonly moment: BooksMoment | undefined; readonly books: BooksAndTanks };

/** The books of a contract in a snapshot. What is not `known` of the rows is read. */
export async function readBooks(
  snapshot: Transaction<Database>,
  { place, customers, versions }: CheckedPlace,
  known: KnownSums,
): Promise<ReadBooks> {
  const { chainId, address: contract } = place;
  const keepsBalances = customers !== undefined;
  const books = await checkContractBooks(snapshot, { chainId, contract, keepsBalances }, known);
  const idle = await readIdleTanks(snapshot, { chainId, contract, versions });
  return { moment: await readBooksMoment(snapshot, place), books: { ...books, idle } };
}
