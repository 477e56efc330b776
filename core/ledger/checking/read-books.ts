import type { Transaction } from 'kysely';
import type { IdleTank } from '../../domain/ledger/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { type BooksMoment, readBooksMoment } from './books-moment.ts';
import { type ContractBooks, checkContractBooks } from './check-ledger.ts';
import type { CheckedPlace } from './checked-place.ts';
import { readIdleTanks } from './read-idle-tanks.ts';
import type { BookSums } from './row-sums.ts';

/** The books, and of the tanks those that no paymaster pays from. */
export type BooksAndTanks = ContractBooks & { readonly idle: readonly IdleTank[] };

/** A contract's books as of a block; of none before the first. */
export type ReadBooks = { readonly moment: BooksMoment | undefined; readonly books: BooksAndTanks };

/** The books of a contract in a snapshot. All rows are read unless `sums` has what they come to. */
export async function readBooks(
  snapshot: Transaction<Database>,
  { place, customers, versions }: CheckedPlace,
  sums?: BookSums,
): Promise<ReadBooks> {
  const { chainId, address: contract } = place;
  const keepsBalances = customers !== undefined;
  const books = await checkContractBooks(snapshot, { chainId, contract, keepsBalances }, sums);
  const idle = await readIdleTanks(snapshot, { chainId, contract, versions });
  return { moment: await readBooksMoment(snapshot, place), books: { ...books, idle } };
}
