import type { Address, Hex } from 'viem';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei.ts';

/** How far back the hashes of blocks are kept: a week of Ethereum, three hours of a chain with four blocks a second. */
export const blocksToRevert = 50_000n;

/** Records a block that the ledgers of some contracts have passed, and deletes those that are too old to go back to. */
export function passBlock(
  store: Store,
  { chainId, contracts }: { readonly chainId: number; readonly contracts: readonly Address[] },
  { number, hash }: { readonly number: bigint; readonly hash: Hex },
): Promise<void> {
  return store.transaction(async (transaction) => {
    for (const contract of contracts) {
      await transaction
        .insertInto('passed_blocks')
        .values({ chain_id: chainId, contract, block_number: Number(number), hash })
        .onConflict((conflict) => conflict.columns(['chain_id', 'contract', 'block_number']).doUpdateSet({ hash }))
        .execute();
      await transaction
        .deleteFrom('passed_blocks')
        .where('chain_id', '=', chainId)
        .where('contract', '=', contract)
        .where('block_number', '<', Number(number - blocksToRevert))
        .execute();
    }
  });
}

/** Another process has moved the watch since a stretch was read: the stretch is no longer the next one. */
export class WatchMoved extends Error {
  override readonly name = 'WatchMoved';

  constructor(chainId: number, contract: string) {
    super(`The watch of contract ${contract} on chain ${chainId} is no longer where this stretch begins.`);
  }
}

/** Creates the totals of every configured paymaster contract in the ledger. */
export async function ensureContractTotals(
  store: Store,
  places: readonly { readonly chainId: number; readonly address: Address }[],
): Promise<void> {
  if (places.length === 0) return;
  const zero = toWeiText(0n);
  const rows = places.map(({ chainId, address }) => ({ chain_id: chainId, contract: address, deposit: zero }));
  await store.transaction((trx) =>
    trx
      .insertInto('contract_totals')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doNothing())
      .execute(),
  );
}
