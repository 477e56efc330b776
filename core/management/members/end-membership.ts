import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';

/**
 * Removes a wallet from an account, with its sessions there, the authTokens it created, tokens created with those, and
 * sessions that began with any of them. `now` in Unix seconds.
 */
export async function endMembership(
  trx: Transaction<Database>,
  { accountId, wallet, now }: { readonly accountId: string; readonly wallet: string; readonly now: number },
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('wallet', '=', wallet),
        eb(
          'auth_token_id',
          'in',
          selectFrom('auth_tokens')
            .select('auth_token_id')
            .where('account_id', '=', accountId)
            .where('made_by', '=', wallet),
        ),
      ]),
    )
    .execute();
  await trx
    .updateTable('auth_tokens')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('made_by', '=', wallet)
    .where('revoked_at', 'is', null)
    .execute();
  // Otherwise no one could make it an account's own wallet again.
  await trx
    .updateTable('accounts')
    .set({ wallet: null, invited: 0 })
    .where('account_id', '=', accountId)
    .where('wallet', '=', wallet)
    .execute();
  await trx.deleteFrom('account_members').where('account_id', '=', accountId).where('wallet', '=', wallet).execute();
}
