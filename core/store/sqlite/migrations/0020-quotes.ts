import type { Migration } from '../../migration.ts';

/**
 * Quotes that were given, while they are valid, by what they were given for. They are kept here where several processes may
 * give and keep them, so not in a file. Amounts are decimal text: they have up to 256 bits.
 */
export const quotes: Migration = {
  version: 20,
  name: 'quotes',
  sql: `
    CREATE TABLE quotes (
      name TEXT PRIMARY KEY,
      maximum TEXT NOT NULL,
      exchange_rate TEXT NOT NULL,
      valid_until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX quotes_by_end ON quotes (valid_until);
  `,
};
