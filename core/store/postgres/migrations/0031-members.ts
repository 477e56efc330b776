import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const members: Migration = {
  version: 31,
  name: 'members',
  sql: `
    CREATE TABLE account_members (
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (account_id),
      wallet text COLLATE "C" NOT NULL CHECK (length(wallet) = 42),
      role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
      added_at bigint NOT NULL CHECK (added_at >= 0),
      joined_at bigint CHECK (joined_at >= 0),
      PRIMARY KEY (account_id, wallet)
    );
    CREATE INDEX account_members_by_wallet ON account_members (wallet, added_at);
    INSERT INTO account_members (account_id, wallet, role, added_at, joined_at)
      SELECT account_id, wallet, 'owner', created_at, CASE invited WHEN 0 THEN created_at END
      FROM accounts WHERE wallet IS NOT NULL;
    ALTER TABLE sessions ADD COLUMN wallet text COLLATE "C" CHECK (length(wallet) = 42);
    UPDATE sessions SET wallet = (SELECT wallet FROM accounts WHERE accounts.account_id = sessions.account_id)
      WHERE auth_token_id IS NULL;
    ALTER TABLE auth_tokens ADD COLUMN made_by text COLLATE "C" CHECK (length(made_by) = 42);
  `,
};
