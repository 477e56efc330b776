import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedContract } from './checked-contract.ts';
import { compareLedgerAndChain, type LedgerAndChain } from './compare-ledger-and-chain.ts';
import { readOpenSums } from './open-sums.ts';
import { readLedgers } from './read-ledgers.ts';
import type { RowSums } from './row-sums.ts';

export type ChainContract = { readonly client: FollowedChain['client']; readonly checked: CheckedContract };

/**
 * Compares several contracts' ledgers with their chains, in the order given. All ledgers are read in one snapshot, and their
 * rows are added up once; a contract that differs is read again on its own.
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
