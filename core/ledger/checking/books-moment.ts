import type { PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { Store } from '../../store/store.ts';

/** The last block that a contract's books have, and its hash. */
export type BooksMoment = { readonly atBlock: bigint; readonly lastHash: string };

/** Undefined before the first block. */
export async function readBooksMoment(
  db: Pick<Store['db'], 'selectFrom'>,
  { chainId, address }: PaymasterContract,
): Promise<BooksMoment | undefined> {
  const row = await db
    .selectFrom('contract_watches')
    .select(['next_block', 'last_hash'])
    .where('chain_id', '=', chainId)
    .where('contract', '=', address)
    .executeTakeFirst();
  return row === undefined ? undefined : momentOf(row);
}

/** What a contract's watch says of its books. */
export function momentOf(watch: { readonly next_block: number; readonly last_hash: string }): BooksMoment {
  return { atBlock: BigInt(watch.next_block) - 1n, lastHash: watch.last_hash };
}

/** Whether the books have gone on, or back, since that moment. */
export async function haveBooksMoved(store: Store, place: PaymasterContract, before: BooksMoment): Promise<boolean> {
  return (await readBooksMoment(store.db, place))?.lastHash !== before.lastHash;
}
