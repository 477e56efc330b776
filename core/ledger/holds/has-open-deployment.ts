import { sql } from 'kysely';
import type { Address } from 'viem';
import type { Store } from '../../store/store.ts';

type Asked = {
  readonly chainId: number;
  readonly sender: Address;
  /** Unix seconds. */
  readonly now: number;
  /** The nonce of an operation that does not count. */
  readonly besides?: bigint;
};

/**
 * Whether an operation that gives this sender code that is known, by a factory or an EIP-7702 authorization, has been signed
 * and may still land.
 */
export async function hasOpenDeployment(
  store: Pick<Store, 'db'>,
  { chainId, sender, now, besides }: Asked,
): Promise<boolean> {
  // The slot begins with the sender; its index has live holds only, and wants to be asked with that word itself.
  let query = store.db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select('holds.hold_id')
    .where('holds.state', '=', sql.lit('live'))
    .where('holds.slot', '>=', `${sender}:`)
    .where('holds.slot', '<', `${sender};`)
    .where('holds.deploys', '=', 1)
    .where('holds.valid_until', '>', now)
    .where('tanks.chain_id', '=', chainId);
  if (besides !== undefined) query = query.where('holds.slot', '!=', `${sender}:${besides}`);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}
