import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const sealingKey: Migration = {
  version: 23,
  name: 'sealing-key',
  sql: `
    ALTER TABLE master_keys ADD COLUMN seals bigint NOT NULL DEFAULT 1 CHECK (seals IN (0, 1));
  `,
};
