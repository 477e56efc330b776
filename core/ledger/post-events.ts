import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { ChainEvent } from './chain-event.ts';
import { postDeposit } from './post-deposit.ts';
import { postUserOperation } from './post-user-operation.ts';

/** A confirmed stretch of one EntryPoint's events, in chain order. */
export type ConfirmedStretch = {
  readonly chainId: number;
  readonly entryPoint: string;
  readonly events: readonly ChainEvent[];
  /** The first block after the stretch. */
  readonly nextBlock: bigint;
};

/** Costs the chain shows for one of our contracts that no hold of ours explains. */
export type Unexplained = Extract<ChainEvent, { kind: 'user-operation' }>;

/**
 * Takes a stretch into the books and moves the watch on, in the caller's one transaction: after a crash the stretch is
 * either all there or read again. Returns the operations that no hold explains.
 */
export async function postEvents(
  transaction: Transaction<Database>,
  stretch: ConfirmedStretch,
  now: number,
): Promise<readonly Unexplained[]> {
  const unexplained: Unexplained[] = [];
  for (const event of stretch.events) {
    if (event.kind === 'deposit') await postDeposit(transaction, stretch.chainId, event, now);
    else if (!(await postUserOperation(transaction, stretch.chainId, event, now))) unexplained.push(event);
  }
  await transaction
    .insertInto('watches')
    .values({
      chain_id: stretch.chainId,
      entry_point: stretch.entryPoint,
      next_block: Number(stretch.nextBlock),
    })
    .onConflict((conflict) =>
      conflict.columns(['chain_id', 'entry_point']).doUpdateSet({ next_block: Number(stretch.nextBlock) }),
    )
    .execute();
  return unexplained;
}
