import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

/** Rows of each kind in one turn. */
const rowsAtOnce = 500;

/**
 * Deletes some ended sessions and used nonces, and which client created an account before today. `now` in Unix seconds.
 * Returns whether that was all.
 */
export function pruneSignIn(store: Store, now: number): Promise<boolean> {
  const startOfDay = now - (now % signInLimits.secondsPerDay);
  return store.transaction(async (trx) => {
    const expired = await deleteSessions(trx, 'expires_at', now);
    const idle = await deleteSessions(trx, 'last_seen_at', now - signInLimits.maxIdle);
    const old = trx.selectFrom('used_nonces').select('nonce').where('expires_at', '<=', now).limit(rowsAtOnce);
    const nonces = await trx.deleteFrom('used_nonces').where('nonce', 'in', old).executeTakeFirstOrThrow();
    await trx
      .updateTable('accounts')
      .set({ signed_up_by: null })
      .where('signed_up', '=', 1)
      .where('signed_up_by', 'is not', null)
      .where('created_at', '<', startOfDay)
      .execute();
    return [expired, idle, nonces.numDeletedRows].every((deleted) => deleted < BigInt(rowsAtOnce));
  });
}

/** Deletes by one time column and its index: not all databases combine two indexes in one search. */
async function deleteSessions(
  trx: Transaction<Database>,
  time: 'expires_at' | 'last_seen_at',
  moment: number,
): Promise<bigint> {
  const ended = trx.selectFrom('sessions').select('session_id').where(time, '<=', moment).limit(rowsAtOnce);
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('session_id', 'in', ended)
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}
