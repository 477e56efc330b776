import type { Migration } from '../../../migration.ts';

/** How many calls that limits of contracts and methods count are in the operations of a hold. */
export const holdCalls: Migration = {
  version: 32,
  name: 'hold-calls',
  sql: `
    CREATE TABLE hold_calls (
      hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
      policy_key TEXT NOT NULL,
      called TEXT NOT NULL CHECK (length(called) > 0),
      calls INTEGER NOT NULL CHECK (calls > 0),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      PRIMARY KEY (hold_id, called)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX hold_calls_by_called ON hold_calls (policy_key, called, created_at, hold_id);
  `,
};
