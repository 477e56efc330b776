import type { Transaction } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import { type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { notifyOthers } from '../../store/notices.ts';
import { ownPaymasterId, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';

const retired = refuse({ reason: 'PAYMASTER_RETIRED', message: 'Paymaster is retired' });

/**
 * Changes a paymaster in one transaction and, once it is committed, makes it visible to sponsorships, including those of
 * other processes at the database. Refuses with `PAYMASTER_NOT_FOUND` unless the account owns the paymaster, with
 * `PAYMASTER_RETIRED` once it is retired. `work` must refuse before it writes.
 */
export async function changeOwnPaymaster<T>(
  parts: { store: Store; profiles: SponsorProfiles },
  owned: Owned,
  work: (trx: Transaction<Database>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await parts.store.transaction(async (trx) => {
    const paymaster = await ownPaymasterId(trx, owned).select('paymasters.retired_at').executeTakeFirst();
    if (paymaster === undefined) return paymasterNotFound;
    if (paymaster.retired_at !== null) return retired;
    const done = await work(trx);
    if (done.ok) await noteChange(trx, owned.paymasterId);
    return done;
  });
  if (result.ok) parts.profiles.forget(owned.paymasterId);
  return result;
}

/** Invalidates earlier profiles by the new number (see `SponsorProfile.changes`). */
async function noteChange(trx: Transaction<Database>, paymasterId: string): Promise<void> {
  await trx
    .updateTable('paymasters')
    .set(({ eb }) => ({ changes: eb('changes', '+', 1) }))
    .where('paymaster_id', '=', paymasterId)
    .execute();
  await notifyOthers(trx, `paymaster ${paymasterId}`);
}
