import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const argumentBytes: Migration = {
  version: 43,
  name: 'argument-bytes',
  sql: `ALTER TABLE contracts ADD COLUMN argument_bytes text COLLATE "C" NOT NULL DEFAULT ''`,
};
