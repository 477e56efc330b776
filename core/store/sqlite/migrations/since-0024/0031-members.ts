import type { Migration } from '../../../migration.ts';

/**
 * Wallets that sign in to an account, each in a role; the wallet of a session, and of the member who made an authToken. Wallets
 * that accounts had are their owners. AuthTokens from before have no maker, so that they are as they were.
 */
export const members: Migration = {
  version: 31,
  name: 'members',
  sql: `
    CREATE TABLE account_members (
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      wallet TEXT NOT NULL CHECK (length(wallet) = 42),
      role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
      added_at INTEGER NOT NULL CHECK (added_at >= 0),
      joined_at INTEGER CHECK (joined_at >= 0),
      PRIMARY KEY (account_id, wallet)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_members_by_wallet ON account_members (wallet, added_at);
    INSERT INTO account_members (account_id, wallet, role, added_at, joined_at)
      SELECT account_id, wallet, 'owner', created_at, CASE invited WHEN 0 THEN created_at END
      FROM accounts WHERE wallet IS NOT NULL;
    ALTER TABLE sessions ADD COLUMN wallet TEXT CHECK (length(wallet) = 42);
    UPDATE sessions SET wallet = (SELECT wallet FROM accounts WHERE accounts.account_id = sessions.account_id)
      WHERE auth_token_id IS NULL;
    ALTER TABLE auth_tokens ADD COLUMN made_by TEXT CHECK (length(made_by) = 42);
  `,
};
