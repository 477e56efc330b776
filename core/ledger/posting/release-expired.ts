import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { closeHold } from '../holds/close-hold.ts';
import { recoverShortfalls } from '../tanks/recover-shortfalls.ts';

/** Holds released in one transaction. */
const maxAtOnce = 1_000;

/**
 * Releases holds whose `validUntil` is before the confirmed chain time. Chain time, not ours: the EntryPoint compares with
 * the block's timestamp, and every event up to that block has been posted. True when more are left.
 */
export async function releaseExpired(
  transaction: Transaction<Database>,
  stretch: { readonly chainId: number; readonly contract: string; readonly chainTime: number },
  now: number,
): Promise<boolean> {
  const expired = await transaction
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['holds.hold_id', 'holds.tank_id', 'holds.amount'])
    .where('holds.state', '=', 'live')
    .where('holds.valid_until', '<', stretch.chainTime)
    .where('tanks.chain_id', '=', stretch.chainId)
    .where('tanks.contract', '=', stretch.contract)
    .orderBy('holds.valid_until')
    .limit(maxAtOnce)
    .execute();
  for (const row of expired) {
    await closeHold(
      transaction,
      {
        holdId: row.hold_id,
        tankId: row.tank_id,
        amount: fromWeiText(row.amount),
        chainId: stretch.chainId,
        contract: stretch.contract,
      },
      { state: 'released', because: 'expired', now },
    );
  }
  if (expired.length > 0) await recoverShortfalls(transaction, stretch.chainId, now);
  return expired.length === maxAtOnce;
}
