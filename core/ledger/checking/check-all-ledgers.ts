import { getAddress } from 'viem';
import type { Store } from '../../store/store.ts';
import { checkBooks } from './check-ledger.ts';
import { readOpenSums } from './open-sums.ts';
import { type RowSums, readBookSums } from './row-sums.ts';

/**
 * The rules that the books of any paymaster contract do not keep, each with the contract; of books alone, without a chain to
 * compare them with. All rows are read unless `rows` remembers them.
 */
export function checkAllBooks(store: Store, rows?: RowSums): Promise<readonly string[]> {
  return store.read(async (snapshot) => {
    const known = {
      rows: await (rows?.at(snapshot) ?? readBookSums(snapshot)),
      open: await readOpenSums(snapshot),
    };
    const totals = await snapshot.selectFrom('contract_totals').select(['chain_id', 'contract']).execute();
    // Whether costs and what tanks paid are the same depends on the contract, of which nothing is known here.
    const contracts = totals.map(({ chain_id: chainId, contract }) => ({ chainId, contract, keepsBalances: true }));
    const books = await checkBooks(snapshot, contracts, known);
    return contracts.flatMap(({ chainId, contract }, index) =>
      (books[index]?.faults ?? []).map((fault) => `chain ${chainId}, contract ${getAddress(contract)}: ${fault}`),
    );
  });
}
