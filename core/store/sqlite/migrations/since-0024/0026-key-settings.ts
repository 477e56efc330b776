import type { Migration } from '../../../migration.ts';

/**
 * Several apiKeys for a paymaster, each replaced by itself: `key_number` 0 is the paymaster's own, the others are counted
 * from 1 in the order they were made, and no number is given twice. What is set of a key is a row of its own, which the
 * paymaster's own has once something is set of it.
 *
 * A hold says which key asked for it, so that a limit of that key can count it.
 */
export const keySettings: Migration = {
  version: 26,
  name: 'key-settings',
  sql: `
    ALTER TABLE paymasters ADD COLUMN keys_made INTEGER NOT NULL DEFAULT 0 CHECK (keys_made >= 0);
    ALTER TABLE paymasters ADD COLUMN paused_at INTEGER CHECK (paused_at >= 0);
    ALTER TABLE paymasters ADD COLUMN retired_at INTEGER CHECK (retired_at >= 0);

    ALTER TABLE api_keys ADD COLUMN key_number INTEGER NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER CHECK (last_used_at >= 0);
    DROP INDEX newest_api_key;
    CREATE UNIQUE INDEX newest_api_key ON api_keys (paymaster_id, key_number) WHERE expires_at IS NULL;

    CREATE TABLE api_key_settings (
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      key_number INTEGER NOT NULL CHECK (key_number >= 0),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
      rules TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(rules)),
      PRIMARY KEY (paymaster_id, key_number),
      UNIQUE (paymaster_id, name)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE holds ADD COLUMN key_number INTEGER NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    CREATE INDEX holds_by_key ON holds (paymaster_id, key_number, created_at, hold_id) WHERE key_number > 0;
  `,
};
