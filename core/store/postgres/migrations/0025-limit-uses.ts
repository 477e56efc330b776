import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const limitUses: Migration = {
  version: 25,
  name: 'limit-uses',
  sql: `
    ALTER TABLE shared_limits ADD COLUMN used bigint NOT NULL DEFAULT 0;
  `,
};
