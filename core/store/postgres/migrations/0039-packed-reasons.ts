import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const packedReasons: Migration = {
  version: 39,
  name: 'packed-reasons',
  sql: `ALTER TABLE decisions ADD COLUMN reasons bytea;`,
};
