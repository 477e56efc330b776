import type { Kysely } from 'kysely';
import type { Owned } from '../domain/access/actor.ts';
import { refuse } from '../domain/result/result.ts';
import type { Database } from './database.ts';

/** One refusal for another account's paymaster and for a missing one. */
export const paymasterNotFound = refuse({ reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' });

/**
 * Subquery for the id of a paymaster if the account owns it, otherwise empty. Every query on a paymaster's data compares
 * with it, so that none can reach another account's rows.
 */
export function ownPaymasterId(db: Kysely<Database>, owned: Owned) {
  return db
    .selectFrom('paymasters')
    .select('paymasters.paymaster_id')
    .where('paymasters.account_id', '=', owned.accountId)
    .where('paymasters.paymaster_id', '=', owned.paymasterId);
}

/** Whether the account owns the paymaster. */
export async function ownsPaymaster(db: Kysely<Database>, owned: Owned): Promise<boolean> {
  return (await ownPaymasterId(db, owned).executeTakeFirst()) !== undefined;
}
