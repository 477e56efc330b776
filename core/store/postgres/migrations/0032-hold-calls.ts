import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const holdCalls: Migration = {
  version: 32,
  name: 'hold-calls',
  sql: `
    CREATE TABLE hold_calls (
      hold_id bigint NOT NULL REFERENCES holds (hold_id),
      policy_key text COLLATE "C" NOT NULL,
      called text COLLATE "C" NOT NULL CHECK (length(called) > 0),
      calls bigint NOT NULL CHECK (calls > 0),
      created_at bigint NOT NULL CHECK (created_at >= 0),
      PRIMARY KEY (hold_id, called)
    );
    CREATE INDEX hold_calls_by_called ON hold_calls (policy_key, called, created_at, hold_id);
  `,
};
