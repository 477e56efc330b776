import type { Transaction } from 'kysely';
import type { Address } from 'viem';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fromSignedWeiText, toSignedWeiText } from '../../store/wei/signed-wei-text.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { rollbacksOfContract } from '../reversals/current-rollback.ts';

/** A change of a contract's deposit, in wei; `tankId` is the tank it is booked on, null when none explains it. */
export type Movement = {
  readonly chainId: number;
  readonly contract: string;
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly amount: bigint;
  readonly tankId: number | null;
  /** Of a deposit: who sent its transaction, where that is known. */
  readonly sender?: Address;
  readonly at: EventPosition;
};

/** Writes one change of a contract's deposit into its journal and into the sum of it. */
export async function postMovement(transaction: Transaction<Database>, movement: Movement, now: number): Promise<void> {
  const before = await journalDeposit(transaction, movement.chainId, movement.contract);
  const after = movement.kind === 'deposit' ? before + movement.amount : before - movement.amount;
  await transaction
    .updateTable('contract_totals')
    .set({ deposit: toSignedWeiText(after) })
    .where('chain_id', '=', movement.chainId)
    .where('contract', '=', movement.contract)
    .execute();
  await transaction
    .insertInto('movements')
    .values({
      chain_id: movement.chainId,
      contract: movement.contract,
      kind: movement.kind,
      amount: toWeiText(movement.amount),
      tank_id: movement.tankId,
      block_number: Number(movement.at.blockNumber),
      tx_hash: movement.at.txHash,
      log_index: movement.at.logIndex,
      created_at: now,
      sender: movement.sender ?? null,
      rewind: rollbacksOfContract(movement.chainId, movement.contract),
    })
    .execute();
}

/** The contract's deposit as its journal has it, in wei. Below 0 only of a contract whose deposits are not all known. */
export async function journalDeposit(
  transaction: Pick<Transaction<Database>, 'selectFrom'>,
  chainId: number,
  contract: string,
): Promise<bigint> {
  const row = await transaction
    .selectFrom('contract_totals')
    .select('deposit')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .executeTakeFirstOrThrow();
  return fromSignedWeiText(row.deposit);
}
