/** Accounts, what proves who they are, and the master keys that something is sealed under. */
export const accountsSchema = `
    CREATE TABLE accounts (
      account_id text COLLATE "C" PRIMARY KEY CHECK (length(account_id) = 36),
      name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      created_at bigint NOT NULL CHECK (created_at >= 0),
      wallet text COLLATE "C" CHECK (length(wallet) = 42),
      invited bigint NOT NULL DEFAULT 0 CHECK (invited IN (0, 1)),
      suspended_at bigint CHECK (suspended_at >= 0),
      signed_up bigint NOT NULL DEFAULT 0 CHECK (signed_up IN (0, 1)),
      signed_up_by text COLLATE "C" CHECK (length(signed_up_by) = 64)
    );
    CREATE UNIQUE INDEX accounts_by_wallet ON accounts (wallet) WHERE wallet IS NOT NULL;
    CREATE INDEX accounts_signed_up ON accounts (created_at) WHERE signed_up = 1;
    CREATE TABLE auth_tokens (
      auth_token_id text COLLATE "C" PRIMARY KEY CHECK (length(auth_token_id) = 36),
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (account_id),
      name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      digest text COLLATE "C" NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at bigint NOT NULL CHECK (created_at >= 0),
      expires_at bigint CHECK (expires_at > created_at),
      revoked_at bigint CHECK (revoked_at >= 0),
      last_used_at bigint CHECK (last_used_at >= 0)
    );
    CREATE INDEX auth_tokens_of_account ON auth_tokens (account_id, created_at);
    CREATE TABLE sessions (
      session_id text COLLATE "C" PRIMARY KEY CHECK (length(session_id) = 36),
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (account_id),
      auth_token_id text COLLATE "C" REFERENCES auth_tokens (auth_token_id) ON DELETE CASCADE,
      digest text COLLATE "C" NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at bigint NOT NULL CHECK (created_at >= 0),
      last_seen_at bigint NOT NULL,
      expires_at bigint NOT NULL CHECK (expires_at > created_at)
    );
    CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
    CREATE INDEX sessions_of_auth_token ON sessions (auth_token_id) WHERE auth_token_id IS NOT NULL;
    CREATE INDEX sessions_by_end ON sessions (expires_at);
    CREATE INDEX sessions_by_last_use ON sessions (last_seen_at);
    CREATE TABLE used_nonces (
      nonce text COLLATE "C" PRIMARY KEY,
      expires_at bigint NOT NULL
    );
    CREATE INDEX used_nonces_by_end ON used_nonces (expires_at);
    CREATE TABLE master_keys (
      digest text COLLATE "C" PRIMARY KEY CHECK (length(digest) = 64)
    );
    CREATE TABLE retired_digest_keys (
      master_key text COLLATE "C" PRIMARY KEY CHECK (length(master_key) = 64),
      key_sealed bytea NOT NULL
    );
`;
