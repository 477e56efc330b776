import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';

/** AuthTokens, including ended ones, each with its account and the account role of the member who created it. */
export function authTokenRows(db: Kysely<Database>) {
  return db
    .selectFrom('auth_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'auth_tokens.account_id')
        .onRef('account_members.wallet', '=', 'auth_tokens.made_by'),
    )
    .selectAll('auth_tokens')
    .select(['suspended_at', 'auth_tokens.made_by as member', 'role']);
}
