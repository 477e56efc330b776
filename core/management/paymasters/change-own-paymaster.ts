import type { Transaction } from 'kysely';
import type { Owned } from '../../domain/core.ts';
import type { Result } from '../../domain/result/result.ts';
import type { Database } from '../../store/database.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import type { SponsorProfiles } from './sponsor-profiles.ts';

/**
 * Changes something of a paymaster in one transaction and, once it is committed, makes sponsorships see it. Refuses
 * with `PAYMASTER_NOT_FOUND` unless the account owns the paymaster. `work` refuses before it writes.
 */
export async function changeOwnPaymaster<T>(
  parts: { store: Store; profiles: SponsorProfiles },
  owned: Owned,
  work: (trx: Transaction<Database>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await parts.store.transaction(async (trx) =>
    (await ownsPaymaster(trx, owned)) ? work(trx) : paymasterNotFound,
  );
  if (result.ok) parts.profiles.forget(owned.paymasterId);
  return result;
}
