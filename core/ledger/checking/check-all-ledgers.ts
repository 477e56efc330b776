import { getAddress } from 'viem';
import type { Store } from '../../store/store.ts';
import { checkContractLedgers } from './check-ledger.ts';
import { readOpenSums } from './open-sums.ts';
import { type RowSums, readLedgerSums } from './row-sums.ts';

/**
 * The rules that the ledger of any paymaster contract breaks, each with the contract; only within the ledger, without
 * comparing it with a chain. All rows are read unless `rows` remembers them.
 */
export function checkAllLedgers(store: Store, rows?: RowSums): Promise<readonly string[]> {
  return store.read(async (snapshot) => {
    const known = {
      rows: await (rows?.at(snapshot) ?? readLedgerSums(snapshot)),
      open: await readOpenSums(snapshot),
    };
    const totals = await snapshot.selectFrom('contract_totals').select(['chain_id', 'contract']).execute();
    // Whether costs have to equal what tanks paid depends on the contract, which is not known here.
    const contracts = totals.map(({ chain_id: chainId, contract }) => ({ chainId, contract, keepsBalances: true }));
    const books = await checkContractLedgers(snapshot, contracts, known);
    return contracts.flatMap(({ chainId, contract }, index) =>
      (books[index]?.faults ?? []).map((fault) => `chain ${chainId}, contract ${getAddress(contract)}: ${fault}`),
    );
  });
}
