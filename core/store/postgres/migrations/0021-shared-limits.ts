import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const sharedLimits: Migration = {
  version: 21,
  name: 'shared-limits',
  sql: `
    CREATE TABLE shared_limits (
      name text COLLATE "C" PRIMARY KEY,
      level bigint NOT NULL,
      level_at bigint NOT NULL
    );
    CREATE INDEX shared_limits_by_time ON shared_limits (level_at);
  `,
};
