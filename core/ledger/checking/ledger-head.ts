import type { Transaction } from 'kysely';
import type { PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { type ContractKey, contractsTable, sortByContract } from '../tanks/contract-keys.ts';

/** The last block that a contract's ledger has, and its hash. */
export type LedgerHead = { readonly atBlock: bigint; readonly lastHash: string };

/** For each contract; undefined before the first block. */
export async function readLedgerHeads(
  snapshot: Transaction<Database>,
  places: readonly ContractKey[],
): Promise<readonly (LedgerHead | undefined)[]> {
  const rows = await snapshot
    .selectFrom(contractsTable(snapshot, places))
    .innerJoin('contract_watches as watch', (join) =>
      join.onRef('watch.chain_id', '=', 'place.chain_id').onRef('watch.contract', '=', 'place.contract'),
    )
    .select(['watch.chain_id', 'watch.contract', 'watch.next_block', 'watch.last_hash'])
    .execute();
  return sortByContract(places, rows).map(([watch]) => (watch === undefined ? undefined : headOf(watch)));
}

/** The ledger's head according to the contract's watch. */
export function headOf(watch: { readonly next_block: number; readonly last_hash: string }): LedgerHead {
  return { atBlock: BigInt(watch.next_block) - 1n, lastHash: watch.last_hash };
}

/** Whether the ledger has advanced, or been rolled back, since that moment. */
export async function hasLedgerMoved(
  { db }: Store,
  { chainId, address }: PaymasterContract,
  before: LedgerHead,
): Promise<boolean> {
  const row = await db
    .selectFrom('contract_watches')
    .select('last_hash')
    .where('chain_id', '=', chainId)
    .where('contract', '=', address)
    .executeTakeFirst();
  return row?.last_hash !== before.lastHash;
}
