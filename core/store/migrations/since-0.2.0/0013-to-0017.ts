import type { Migration } from '../migration.ts';

/**
 * Sums that were computed from all rows on demand are now kept up to date: what a tank paid in each hour, and what each
 * sender and client has open at a tank. `limit_usage` records the progress of counting in steps, and whether it counts USD.
 * An ended hold keeps what limits had counted for it, in case its end is rolled back.
 */
const runningSums: Migration = {
  version: 13,
  name: 'running-sums',
  sql: ({ sumWei }) => `
    CREATE TABLE tank_spending (
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      hour INTEGER NOT NULL CHECK (hour % 3600 = 0),
      spent TEXT NOT NULL CHECK (length(spent) = 40),
      PRIMARY KEY (tank_id, hour)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tank_spending
      SELECT tank_id, created_at - created_at % 3600, ${sumWei('amount')} FROM entries
      WHERE kind = 'settle' AND reverses IS NULL
        AND NOT EXISTS (SELECT 1 FROM entries AS reversal WHERE reversal.reverses = entries.entry_id)
      GROUP BY 1, 2;
    CREATE TABLE open_holds (
      whose TEXT NOT NULL,
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      count INTEGER NOT NULL CHECK (count > 0),
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      PRIMARY KEY (whose, tank_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO open_holds
      SELECT sender || ':' || coalesce(client, ''), tank_id, count(*), ${sumWei('amount')} FROM holds
      WHERE state = 'live' GROUP BY 1, 2;
    INSERT INTO open_holds
      SELECT client, tank_id, count(*), ${sumWei('amount')} FROM holds
      WHERE state = 'live' AND client IS NOT NULL GROUP BY 1, 2;
    DROP INDEX live_holds_by_client;
    ALTER TABLE holds ADD COLUMN counted_held TEXT CHECK (length(counted_held) = 40);
    ALTER TABLE holds ADD COLUMN usd_held INTEGER CHECK (usd_held >= 0);
    CREATE INDEX counted_holds ON holds (paymaster_id, created_at) WHERE counted IS NOT NULL;
    ALTER TABLE limit_usage ADD COLUMN counts_usd INTEGER NOT NULL DEFAULT 1 CHECK (counts_usd IN (0, 1));
    ALTER TABLE limit_usage ADD COLUMN counted_until INTEGER;
    ALTER TABLE limit_usage ADD COLUMN counted_hold INTEGER CHECK ((counted_hold IS NULL) = (counted_until IS NULL));
    CREATE INDEX limit_usage_being_counted ON limit_usage (paymaster_id) WHERE counted_until IS NOT NULL;
    CREATE INDEX decisions_by_time ON decisions (paymaster_id, created_at, outcome, sender, token, hold_id);
  `,
};

/** The version that began to record which keys sign for a contract. */
const keysAreKnownSince = 9;

/**
 * Which keys signed under a hold, and what the operator released for which reason. For older holds all keys of their
 * contract are assumed, unless they predate the list of keys.
 *
 * Also what limits count of a paymaster's holds per hour, kept up to date, so that a limit for all senders together has its
 * count at once; and an index with everything that usage by contract and method needs of a decision's record.
 */
const releasesAndHours: Migration = {
  version: 14,
  name: 'releases-and-hours',
  sql: ({ sumWei }) => `
    ALTER TABLE holds ADD COLUMN signers TEXT CHECK (length(signers) >= 42);
    UPDATE holds SET signers = (
      SELECT group_concat(signer, ',') FROM contract_signers JOIN tanks USING (chain_id, contract)
      WHERE tanks.tank_id = holds.tank_id
    )
    WHERE state = 'live'
      AND created_at > (SELECT applied_at FROM schema_migrations WHERE version = ${keysAreKnownSince});
    CREATE TABLE operator_releases (
      entry_id INTEGER PRIMARY KEY REFERENCES entries (entry_id),
      reason TEXT NOT NULL CHECK (length(reason) > 0),
      ground TEXT NOT NULL CHECK (length(ground) > 0)
    ) STRICT;
    CREATE TRIGGER operator_releases_are_not_changed BEFORE UPDATE ON operator_releases
      BEGIN SELECT RAISE(ABORT, 'releases by the operator are never changed'); END;
    CREATE TRIGGER operator_releases_are_not_deleted BEFORE DELETE ON operator_releases
      BEGIN SELECT RAISE(ABORT, 'releases by the operator are never deleted'); END;
    CREATE TABLE counted_hours (
      paymaster_id TEXT NOT NULL,
      hour INTEGER NOT NULL CHECK (hour % 3600 = 0),
      operations INTEGER NOT NULL CHECK (operations >= 0),
      wei TEXT NOT NULL CHECK (length(wei) = 40),
      PRIMARY KEY (paymaster_id, hour)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counted_hours
      SELECT paymaster_id, created_at - created_at % 3600, count(*), ${sumWei('counted')} FROM holds
      WHERE counted IS NOT NULL AND state <> 'released' GROUP BY 1, 2;
    DROP INDEX decisions_by_time;
    CREATE INDEX decisions_by_time ON decisions (
      paymaster_id, created_at, outcome, sender, token, hold_id, json_extract(record, '$.facts.calls')
    );
  `,
};

/**
 * Wallets of accounts, who created an account by signing in (as a keyed digest of the address, for a day), sessions, used
 * nonces, and when an authToken was last used.
 */
const signIn: Migration = {
  version: 15,
  name: 'sign-in',
  sql: () => `
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

/**
 * The apiKeys of paymasters in a separate table, so that an old one can work for a while after its replacement. Each
 * paymaster has one without an expiry, which is the listed one.
 *
 * SQLite cannot drop unique columns, so the paymasters table is recreated under its name; foreign keys are checked when the
 * transaction ends.
 */
const apiKeys: Migration = {
  version: 16,
  name: 'api-keys',
  sql: () => `
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

/** The newest answers of each webhook; `is_test` is 1 if the account holder requested a test call. */
const webhookAnswers: Migration = {
  version: 17,
  name: 'webhook-answers',
  sql: () => `
    CREATE TABLE webhook_answers (
      answer_number INTEGER PRIMARY KEY AUTOINCREMENT,
      webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      asked_at INTEGER NOT NULL CHECK (asked_at >= 0),
      duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
      verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'refused', 'unavailable')),
      status INTEGER,
      problem TEXT CHECK (problem IS NULL OR verdict = 'unavailable'),
      is_test INTEGER NOT NULL CHECK (is_test IN (0, 1))
    ) STRICT;
    CREATE INDEX webhook_answers_by_webhook ON webhook_answers (webhook_id, answer_number);
  `,
};

export const stepsTo17: readonly Migration[] = [runningSums, releasesAndHours, signIn, apiKeys, webhookAnswers];
