import type { Transaction } from 'kysely';
import type { IdleTank } from '../../domain/ledger/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { type ContractBooks, checkBooks, type KnownSums } from './check-ledger.ts';
import type { CheckedPlace } from './checked-contract.ts';
import { type BooksMoment, readBooksMoments } from './ledger-head.ts';
import { readIdleTanks } from './read-idle-tanks.ts';

/** The books, and of the tanks those that no paymaster pays from. */
export type BooksAndTanks = ContractBooks & { readonly idle: readonly IdleTank[] };

/** A contract's books as of a block; of none before the first. */
export type ReadBooks = { readonly moment: BooksMoment | undefined; readonly books: BooksAndTanks };

/** The books of contracts in a snapshot, in the order given. What is not `known` of the rows is read. */
export async function readBooks(
  snapshot: Transaction<Database>,
  checked: readonly CheckedPlace[],
  known: KnownSums,
): Promise<readonly ReadBooks[]> {
  const places = checked.map(({ place, customers, versions }) => ({
    chainId: place.chainId,
    contract: place.address,
    keepsBalances: customers !== undefined,
    versions,
  }));
  const books = await checkBooks(snapshot, places, known);
  const idle = await readIdleTanks(snapshot, places);
  const moments = await readBooksMoments(snapshot, places);
  return books.map((of, index) => ({ moment: moments[index], books: { ...of, idle: idle[index] ?? [] } }));
}
