import { omitAbsent } from '../../base/values/omit-absent.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedPlace } from './checked-contract.ts';
import { type BooksAndChain, checkBooksAndChain } from './compare-ledger-and-chain.ts';
import { readOpenSums } from './open-sums.ts';
import { readBooks } from './read-ledgers.ts';
import type { RowSums } from './row-sums.ts';

/** A contract, and who is asked about its chain. */
export type ChainPlace = { readonly client: FollowedChain['client']; readonly checked: CheckedPlace };

/**
 * Several contracts' books next to their chains, in the order given. The books of all are read in one snapshot, and what its rows
 * come to once; a contract that differs is read again by itself.
 */
export async function checkPlaces(
  store: Store,
  places: readonly ChainPlace[],
  rows: RowSums,
): Promise<readonly BooksAndChain[]> {
  const read = await store.read(async (snapshot) => {
    const known = { rows: await rows.at(snapshot), open: await readOpenSums(snapshot) };
    const checked = places.map((place) => place.checked);
    return readBooks(snapshot, checked, known);
  });
  return Promise.all(
    places.map(({ client, checked }, index) =>
      checkBooksAndChain(store, client, checked, { rows, ...omitAbsent({ read: read[index] }) }),
    ),
  );
}
