import type { Migration } from '../../migration.ts';

/**
 * The apiKeys of paymasters in a table of their own, so that an old one can work for a while next to the new one. A
 * paymaster has one without an end, which is the one that is listed.
 *
 * SQLite cannot drop the columns, which are unique, so the table of paymasters is made again under its own name: what
 * refers to it is looked at when the transaction ends.
 */
export const apiKeys: Migration = {
  version: 16,
  name: 'api-keys',
  sql: `
    PRAGMA defer_foreign_keys = ON;

    CREATE TABLE paymasters_before AS SELECT * FROM paymasters;
    DROP TABLE paymasters;
    CREATE TABLE paymasters (
      paymaster_number INTEGER PRIMARY KEY AUTOINCREMENT,
      paymaster_id TEXT NOT NULL UNIQUE CHECK (length(paymaster_id) = 36),
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      chain_id INTEGER NOT NULL CHECK (chain_id > 0),
      version TEXT NOT NULL CHECK (length(version) > 0),
      funding_wallet TEXT CHECK (length(funding_wallet) = 42),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      UNIQUE (account_id, chain_id, name)
    ) STRICT;
    INSERT INTO paymasters
      (paymaster_number, paymaster_id, account_id, name, chain_id, version, funding_wallet, created_at)
      SELECT paymaster_number, paymaster_id, account_id, name, chain_id, version, funding_wallet, created_at
      FROM paymasters_before;
    CREATE INDEX paymasters_by_funding_wallet ON paymasters (funding_wallet) WHERE funding_wallet IS NOT NULL;

    CREATE TABLE api_keys (
      api_key_number INTEGER PRIMARY KEY AUTOINCREMENT,
      api_key_id TEXT NOT NULL UNIQUE CHECK (length(api_key_id) = 36),
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
      sealed BLOB NOT NULL,
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      expires_at INTEGER CHECK (expires_at >= created_at)
    ) STRICT;
    CREATE INDEX api_keys_of_paymaster ON api_keys (paymaster_id);
    CREATE UNIQUE INDEX newest_api_key ON api_keys (paymaster_id) WHERE expires_at IS NULL;
    INSERT INTO api_keys (api_key_id, paymaster_id, digest, sealed, created_at)
      SELECT
        lower(
          hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
          substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
        ),
        paymaster_id, api_key_digest, api_key_sealed, created_at
      FROM paymasters_before
      ORDER BY paymaster_number;
    DROP TABLE paymasters_before;
  `,
};
