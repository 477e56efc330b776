import type { Migration } from '../../migration.ts';

/** Accounts, paymasters and what belongs to them. */
export const management: Migration = {
  version: 1,
  name: 'management',
  sql: `
    CREATE TABLE master_key_check (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      digest TEXT NOT NULL CHECK (length(digest) = 64)
    ) STRICT;

    CREATE TABLE accounts (
      account_id TEXT PRIMARY KEY CHECK (length(account_id) = 36),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      created_at INTEGER NOT NULL CHECK (created_at >= 0)
    ) STRICT;

    CREATE TABLE auth_tokens (
      auth_token_id TEXT PRIMARY KEY CHECK (length(auth_token_id) = 36),
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      expires_at INTEGER CHECK (expires_at > created_at),
      revoked_at INTEGER CHECK (revoked_at >= 0)
    ) STRICT;
    CREATE INDEX auth_tokens_of_account ON auth_tokens (account_id, created_at);

    CREATE TABLE paymasters (
      paymaster_number INTEGER PRIMARY KEY AUTOINCREMENT,
      paymaster_id TEXT NOT NULL UNIQUE CHECK (length(paymaster_id) = 36),
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      chain_id INTEGER NOT NULL CHECK (chain_id > 0),
      version TEXT NOT NULL CHECK (length(version) > 0),
      api_key_digest TEXT NOT NULL UNIQUE CHECK (length(api_key_digest) = 64),
      api_key_sealed BLOB NOT NULL,
      funding_wallet TEXT CHECK (length(funding_wallet) = 42),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      UNIQUE (account_id, chain_id, name)
    ) STRICT;

    CREATE TABLE contracts (
      contract_number INTEGER PRIMARY KEY AUTOINCREMENT,
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      address TEXT NOT NULL CHECK (length(address) = 42 AND address = lower(address)),
      functions TEXT NOT NULL CHECK (json_valid(functions)),
      whitelisted_methods TEXT NOT NULL CHECK (json_valid(whitelisted_methods)),
      selectors TEXT NOT NULL CHECK (json_valid(selectors)),
      abi_bytes INTEGER NOT NULL CHECK (abi_bytes >= 0),
      abi TEXT NOT NULL,
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      UNIQUE (paymaster_id, name),
      UNIQUE (paymaster_id, address)
    ) STRICT;

    CREATE TABLE webhooks (
      webhook_number INTEGER PRIMARY KEY AUTOINCREMENT,
      webhook_id TEXT NOT NULL UNIQUE CHECK (length(webhook_id) = 36),
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      webhook_url TEXT NOT NULL CHECK (length(webhook_url) > 0),
      request_type TEXT NOT NULL CHECK (request_type IN ('GET', 'POST')),
      active INTEGER NOT NULL CHECK (active IN (0, 1)),
      secret_sealed BLOB NOT NULL,
      created_at INTEGER NOT NULL CHECK (created_at >= 0)
    ) STRICT;
    CREATE INDEX webhooks_of_paymaster ON webhooks (paymaster_id);

    CREATE TABLE funding_messages (
      paymaster_id TEXT PRIMARY KEY REFERENCES paymasters (paymaster_id),
      nonce TEXT NOT NULL CHECK (length(nonce) = 64),
      message TEXT NOT NULL,
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
    ) STRICT;

    CREATE TABLE funding_wallets (
      funding_wallet_number INTEGER PRIMARY KEY AUTOINCREMENT,
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      address TEXT NOT NULL CHECK (length(address) = 42),
      message TEXT NOT NULL,
      signature TEXT NOT NULL CHECK (length(signature) = 132),
      set_at INTEGER NOT NULL CHECK (set_at >= 0)
    ) STRICT;
    CREATE INDEX funding_wallets_of_paymaster ON funding_wallets (paymaster_id);
  `,
};
