import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';

/**
 * Sessions, including ended ones, each with what determines its scopes: its authToken, and its member's role in the account.
 */
export function sessionRows(db: Kysely<Database>) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .leftJoin('auth_tokens', 'auth_tokens.auth_token_id', 'sessions.auth_token_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'sessions.account_id')
        .on(({ eb, fn, ref }) =>
          eb(ref('account_members.wallet'), '=', fn.coalesce('sessions.wallet', 'auth_tokens.made_by')),
        ),
    )
    .select(({ fn }) => [
      'session_id',
      'sessions.account_id',
      'sessions.auth_token_id',
      'sessions.expires_at',
      'sessions.wallet',
      'auth_tokens.scopes',
      'auth_tokens.expires_at as token_expires_at',
      'role',
      'account_members.chain_id',
      fn.coalesce('sessions.wallet', 'auth_tokens.made_by').as('member'),
    ]);
}
