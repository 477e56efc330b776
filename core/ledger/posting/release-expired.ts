import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { closeHolds } from '../holds/close-holds.ts';

/** Holds released in one transaction: no other work of the process gets a turn meanwhile. */
const maxAtOnce = 100;

/**
 * Releases holds whose `validUntil` is before the confirmed chain time. Chain time, not ours: the EntryPoint compares with
 * the block's timestamp, and every event up to that block has been posted. Returns how many there were, and whether more may be left.
 */
export async function releaseExpired(
  transaction: Transaction<Database>,
  stretch: { readonly chainId: number; readonly contract: string; readonly chainTime: number },
  now: number,
): Promise<{ readonly released: number; readonly more: boolean }> {
  const expired = await transaction
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select('holds.hold_id')
    .where('holds.state', '=', 'live')
    .where('holds.valid_until', '<', stretch.chainTime)
    .where('tanks.chain_id', '=', stretch.chainId)
    .where('tanks.contract', '=', stretch.contract)
    .orderBy('holds.valid_until')
    .limit(maxAtOnce)
    .execute();
  const end = { state: 'released', because: 'expired', now } as const;
  await closeHolds(transaction, new Map(expired.map(({ hold_id }) => [hold_id, end])));
  return { released: expired.length, more: expired.length === maxAtOnce };
}
