import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const keySettings: Migration = {
  version: 26,
  name: 'key-settings',
  sql: `
    ALTER TABLE paymasters ADD COLUMN keys_made bigint NOT NULL DEFAULT 0 CHECK (keys_made >= 0);
    ALTER TABLE paymasters ADD COLUMN paused_at bigint CHECK (paused_at >= 0);
    ALTER TABLE paymasters ADD COLUMN retired_at bigint CHECK (retired_at >= 0);

    ALTER TABLE api_keys ADD COLUMN key_number bigint NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    ALTER TABLE api_keys ADD COLUMN last_used_at bigint CHECK (last_used_at >= 0);
    DROP INDEX newest_api_key;
    CREATE UNIQUE INDEX newest_api_key ON api_keys (paymaster_id, key_number) WHERE expires_at IS NULL;

    CREATE TABLE api_key_settings (
      paymaster_id text COLLATE "C" NOT NULL REFERENCES paymasters (paymaster_id),
      key_number bigint NOT NULL CHECK (key_number >= 0),
      name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      disabled bigint NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
      rules text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (rules::json IS NOT NULL),
      PRIMARY KEY (paymaster_id, key_number),
      UNIQUE (paymaster_id, name)
    );

    ALTER TABLE holds ADD COLUMN key_number bigint NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    CREATE INDEX holds_by_key ON holds (paymaster_id, key_number, created_at, hold_id) WHERE key_number > 0;
  `,
};
