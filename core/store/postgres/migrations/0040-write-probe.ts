import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const writeProbe: Migration = {
  version: 40,
  name: 'write-probe',
  sql: `
    CREATE TABLE write_probe (
      probe bigint PRIMARY KEY CHECK (probe = 1),
      filler bytea NOT NULL
    );
  `,
};
