import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { TankAdjustmentKind } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import type { TankKey } from '../holds/hold-request.ts';
import { openTank } from './open-tank.ts';
import { recoverShortfalls } from './recover-shortfalls.ts';

/** A change of a tank that the operator makes manually, in wei, with the reason that is recorded in the ledger. */
export type TankAdjustment = {
  readonly tank: TankKey;
  readonly kind: TankAdjustmentKind;
  readonly amount: bigint;
  readonly reason: string;
  /** The transaction whose deposits, which are in no tank, the adjustment stands for. */
  readonly forTransaction?: Hex;
};

/**
 * Credits or debits a tank. A debit takes no more than is neither settled nor held: otherwise returns false and changes
 * nothing.
 */
export async function adjustTank(
  transaction: Transaction<Database>,
  { tank: key, kind, amount, reason, forTransaction }: TankAdjustment,
  now: number,
): Promise<boolean> {
  const { tank_id } = await openTank(transaction, key);
  const row = await transaction
    .selectFrom('tanks')
    .select(['funded', 'settled', 'held'])
    .where('tank_id', '=', tank_id)
    .executeTakeFirstOrThrow();
  const funded = fromWeiText(row.funded) + (kind === 'credit' ? amount : -amount);
  if (funded < fromWeiText(row.settled) + fromWeiText(row.held)) return false;
  await transaction
    .updateTable('tanks')
    .set({ funded: toWeiText(funded) })
    .where('tank_id', '=', tank_id)
    .execute();
  await transaction
    .insertInto('entries')
    .values({ tank_id, kind, amount: toWeiText(amount), reason, tx_hash: forTransaction ?? null, created_at: now })
    .execute();
  // What is missing in the tank is covered first; only the rest can be held.
  await recoverShortfalls(transaction, key.chainId, now);
  return true;
}
