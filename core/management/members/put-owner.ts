import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';

/** Makes a wallet an owner of an account, whatever it was there before. `now` in Unix seconds. */
export async function putOwner(
  trx: Transaction<Database>,
  { accountId, wallet, now }: { readonly accountId: string; readonly wallet: string; readonly now: number },
): Promise<void> {
  await trx
    .insertInto('account_members')
    .values({ account_id: accountId, wallet, role: 'owner', added_at: now, joined_at: null })
    .onConflict((conflict) => conflict.columns(['account_id', 'wallet']).doUpdateSet({ role: 'owner' }))
    .execute();
}
