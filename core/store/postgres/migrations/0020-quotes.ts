import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const quotes: Migration = {
  version: 20,
  name: 'quotes',
  sql: `
    CREATE TABLE quotes (
      name text COLLATE "C" PRIMARY KEY,
      maximum text COLLATE "C" NOT NULL,
      exchange_rate text COLLATE "C" NOT NULL,
      valid_until bigint NOT NULL
    );
    CREATE INDEX quotes_by_end ON quotes (valid_until);
  `,
};
