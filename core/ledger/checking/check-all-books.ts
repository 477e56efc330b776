import { getAddress } from 'viem';
import type { Store } from '../../store/store.ts';
import { checkContractBooks } from './check-ledger.ts';

/**
 * The rules that the books of any paymaster contract do not keep, each with the contract; of books alone, without a chain to
 * compare them with.
 */
export function checkAllBooks(store: Store): Promise<readonly string[]> {
  return store.read(async (snapshot) => {
    const contracts = await snapshot.selectFrom('contract_totals').select(['chain_id', 'contract']).execute();
    const faults: string[] = [];
    for (const { chain_id: chainId, contract } of contracts) {
      // Whether costs and what tanks paid are the same depends on the contract, of which nothing is known here.
      const books = await checkContractBooks(snapshot, { chainId, contract, keepsBalances: true });
      for (const fault of books.faults) faults.push(`chain ${chainId}, contract ${getAddress(contract)}: ${fault}`);
    }
    return faults;
  });
}
