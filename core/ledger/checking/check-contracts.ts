import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedContract } from './checked-contract.ts';
import { compareLedgerAndChain, type LedgerAndChain } from './compare-ledger-and-chain.ts';
import { readOpenSums } from './open-sums.ts';
import { readLedgers } from './read-ledgers.ts';
import type { RowSums } from './row-sums.ts';

/** A contract, and who is asked about its chain. */
export type ChainContract = { readonly client: FollowedChain['client']; readonly checked: CheckedContract };

/**
 * Several contracts' ledgers next to their chains, in the order given. The ledger of all is read in one snapshot, and what its rows
 * come to once; a contract that differs is read again by itself.
 */
export async function checkContracts(
  store: Store,
  places: readonly ChainContract[],
  rows: RowSums,
): Promise<readonly LedgerAndChain[]> {
  const read = await store.read(async (snapshot) => {
    const known = { rows: await rows.at(snapshot), open: await readOpenSums(snapshot) };
    const checked = places.map((location) => location.checked);
    return readLedgers(snapshot, checked, known);
  });
  return Promise.all(
    places.map(({ client, checked }, index) =>
      compareLedgerAndChain(store, client, checked, { rows, ...omitAbsent({ read: read[index] }) }),
    ),
  );
}
