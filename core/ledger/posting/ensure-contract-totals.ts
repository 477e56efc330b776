import type { Address } from 'viem';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';

/** Creates the totals of every configured paymaster contract in the ledger. */
export async function ensureContractTotals(
  store: Store,
  places: readonly { readonly chainId: number; readonly address: Address }[],
): Promise<void> {
  if (places.length === 0) return;
  const zero = toWeiText(0n);
  const rows = places.map(({ chainId, address }) => ({
    chain_id: chainId,
    contract: address,
    deposit: zero,
    held: zero,
  }));
  await store.transaction((trx) =>
    trx
      .insertInto('contract_totals')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doNothing())
      .execute(),
  );
}
