import type { Migration } from '../../../migration.ts';

/** Has a row for a moment, when it is tried whether the database takes as much as the service writes at once. */
export const writeProbe: Migration = {
  version: 40,
  name: 'write-probe',
  sql: `
    CREATE TABLE write_probe (
      probe INTEGER PRIMARY KEY CHECK (probe = 1),
      filler BLOB NOT NULL
    ) STRICT;
  `,
};
