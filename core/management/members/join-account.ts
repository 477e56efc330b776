import type { Transaction } from 'kysely';
import type { Role } from '../../domain/access/role.ts';
import type { Database } from '../../store/database.ts';

/** Records a member's first sign-in, and returns its role. `now` in Unix seconds. */
export async function joinAccount(
  trx: Transaction<Database>,
  { accountId, wallet, now }: { readonly accountId: string; readonly wallet: string; readonly now: number },
): Promise<Role> {
  const { role } = await trx
    .updateTable('account_members')
    .set(({ fn, val }) => ({ joined_at: fn.coalesce('joined_at', val(now)) }))
    .where('account_id', '=', accountId)
    .where('wallet', '=', wallet)
    .returning('role')
    .executeTakeFirstOrThrow();
  return role;
}
