import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import { WatchMoved } from '../posting/pass-block.ts';
import { notReversed } from '../reversals.ts';
import { recoverShortfalls } from '../tanks/take-from-tank.ts';
import { reverseEntries } from './reverse-entries.ts';
import { type Reversed, reverseMovements } from './reverse-movements.ts';

/** Which contract's ledger is rolled back, and to which block. */
export type WayBack = {
  readonly chainId: number;
  readonly contract: Address;
  /** Where the contract's watch was when that was decided. */
  readonly watchBefore: bigint;
  /** The last block that stays in the ledger. */
  readonly toBlock: bigint;
  /** Where it continues, and the hash of the block before it; the empty one when it starts again there. */
  readonly nextBlock: bigint;
  readonly lastHash: Hex | '';
};

/** How much was rolled back. */
type TakenBack = { readonly movements: number };

/**
 * Rolls back everything that blocks after `toBlock` did to a contract's ledger, and sets its watch to the end of that block.
 * Nothing is deleted: each entry that is no longer valid gets one that reverses it. Operations that had landed count as
 * signed and not yet landed again, because they still can land. What the operator credited and debited stays.
 *
 * @throws WatchMoved when another process has moved the watch since, or rows of later blocks have been archived. Nothing is
 * rolled back then.
 */
export async function takeBack(transaction: Transaction<Database>, way: WayBack, now: number): Promise<TakenBack> {
  const { chainId, contract, toBlock } = way;
  const rewind = await moveBack(transaction, way);
  await transaction
    .deleteFrom('passed_blocks')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .execute();
  const gone = await reverseMovements(transaction, { chainId, contract, toBlock, rewind }, now);
  await reverseTokenPayments(transaction, { chainId, contract, toBlock, rewind }, now);
  await reverseEntries(transaction, { chainId, contract, toBlock, rewind, txHashes: gone.txHashes }, now);
  await recoverShortfalls(transaction, chainId, now);
  return { movements: gone.count };
}

/** Sets the watch back, and returns how often that has happened by now. */
async function moveBack(
  transaction: Transaction<Database>,
  { chainId, contract, watchBefore, toBlock, nextBlock, lastHash }: WayBack,
): Promise<number> {
  const row = await transaction
    .updateTable('contract_watches')
    .set((eb) => ({ next_block: Number(nextBlock), last_hash: lastHash, rewinds: eb('rewinds', '+', 1) }))
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('next_block', '=', Number(watchBefore))
    .where(({ or, eb }) => or([eb('archived_block', 'is', null), eb('archived_block', '<=', Number(toBlock))]))
    .returning('rewinds')
    .executeTakeFirst();
  if (row === undefined) throw new WatchMoved(chainId, contract);
  return row.rewinds;
}

/** Reverses what users paid in tokens. */
async function reverseTokenPayments(
  transaction: Transaction<Database>,
  { chainId, contract, toBlock, rewind }: Reversed,
  now: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('token_payments')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('token_payments', 'token_payment_id'))
    .execute();
  for (const { token_payment_id: reverses, ...row } of rows) {
    await transaction
      .insertInto('token_payments')
      .values({ ...row, reverses, rewind, created_at: now })
      .execute();
  }
}
