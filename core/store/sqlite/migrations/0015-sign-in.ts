import type { Migration } from '../../migration.ts';

/**
 * Wallets that accounts sign in with, who made an account by signing in (as a keyed digest of the address, for a day),
 * sessions, the nonces that were used for them, and when an authToken was last used.
 */
export const signIn: Migration = {
  version: 15,
  name: 'sign-in',
  sql: `
    ALTER TABLE accounts ADD COLUMN wallet TEXT CHECK (length(wallet) = 42);
    ALTER TABLE accounts ADD COLUMN invited INTEGER NOT NULL DEFAULT 0 CHECK (invited IN (0, 1));
    ALTER TABLE accounts ADD COLUMN suspended_at INTEGER CHECK (suspended_at >= 0);
    ALTER TABLE accounts ADD COLUMN signed_up INTEGER NOT NULL DEFAULT 0 CHECK (signed_up IN (0, 1));
    ALTER TABLE accounts ADD COLUMN signed_up_by TEXT CHECK (length(signed_up_by) = 64);
    CREATE UNIQUE INDEX accounts_by_wallet ON accounts (wallet) WHERE wallet IS NOT NULL;
    CREATE INDEX accounts_signed_up ON accounts (created_at) WHERE signed_up = 1;
    ALTER TABLE auth_tokens ADD COLUMN last_used_at INTEGER CHECK (last_used_at >= 0);

    CREATE TABLE sessions (
      session_id TEXT PRIMARY KEY CHECK (length(session_id) = 36),
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      auth_token_id TEXT REFERENCES auth_tokens (auth_token_id) ON DELETE CASCADE,
      digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      last_seen_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
    ) STRICT;
    CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
    CREATE INDEX sessions_of_auth_token ON sessions (auth_token_id) WHERE auth_token_id IS NOT NULL;
    CREATE INDEX sessions_by_end ON sessions (expires_at);
    CREATE INDEX sessions_by_last_use ON sessions (last_seen_at);

    CREATE TABLE used_nonces (
      nonce TEXT PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_nonces_by_end ON used_nonces (expires_at);
  `,
};
