import { sql } from 'kysely';
import type { Address } from 'viem';
import type { Store } from '../../store/store.ts';

/**
 * Whether an operation that makes this sender, of code that is known, has been signed and may still land (`now` in Unix
 * seconds).
 */
export async function hasOpenDeployment(
  store: Store,
  { chainId, sender, now }: { readonly chainId: number; readonly sender: Address; readonly now: number },
): Promise<boolean> {
  // The slot begins with the sender; its index has live holds only, and wants to be asked with that word itself.
  const row = await store.db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select('holds.hold_id')
    .where('holds.state', '=', sql.lit('live'))
    .where('holds.slot', '>=', `${sender}:`)
    .where('holds.slot', '<', `${sender};`)
    .where('holds.deploys', '=', 1)
    .where('holds.valid_until', '>', now)
    .where('tanks.chain_id', '=', chainId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
