import type { Transaction } from 'kysely';
import type { Address } from 'viem';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toSignedWeiText } from '../../store/wei/wei-text.ts';
import { journalDeposit } from '../posting/post-movement.ts';
import { notReversed } from '../reversals.ts';

/** What blocks after `toBlock` did to a contract; `rewind` is the number that the reversing rows carry. */
export type Reversed = {
  readonly chainId: number;
  readonly contract: Address;
  readonly toBlock: bigint;
  readonly rewind: number;
};

/** Reverses the changes of a contract's deposit, the newest first, and returns which transactions made them. */
export async function reverseMovements(
  transaction: Transaction<Database>,
  { chainId, contract, toBlock, rewind }: Reversed,
  now: number,
): Promise<{ readonly count: number; readonly txHashes: readonly string[] }> {
  const rows = await transaction
    .selectFrom('movements')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('movements', 'movement_id'))
    .orderBy('movement_id', 'desc')
    .execute();
  let deposit = await journalDeposit(transaction, chainId, contract);
  for (const { movement_id: reverses, ...row } of rows) {
    deposit += row.kind === 'deposit' ? -fromWeiText(row.amount) : fromWeiText(row.amount);
    await transaction
      .insertInto('movements')
      .values({ ...row, reverses, rewind, created_at: now })
      .execute();
  }
  await transaction
    .updateTable('contract_totals')
    .set({ deposit: toSignedWeiText(deposit) })
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .execute();
  return { count: rows.length, txHashes: [...new Set(rows.map((row) => row.tx_hash))] };
}
