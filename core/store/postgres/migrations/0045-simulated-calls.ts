import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const simulatedCalls: Migration = {
  version: 45,
  name: 'simulated-calls',
  sql: 'ALTER TABLE signatures ADD COLUMN simulated bigint NOT NULL DEFAULT 0;',
};
