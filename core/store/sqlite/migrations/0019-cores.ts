import type { Migration } from '../../migration.ts';

/**
 * What the process that keeps the books of a chain tells the others at its database: how each contract's books stand, and by
 * which settings they are kept. `changes` counts the changes of a paymaster and of what belongs to it, by which a process
 * finds that it has decided on what is no longer so.
 */
export const cores: Migration = {
  version: 19,
  name: 'cores',
  sql: `
    CREATE TABLE book_standings (
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('kept', 'reading', 'stopped')),
      fault TEXT CHECK ((fault IS NULL) = (state <> 'stopped')),
      told_at INTEGER NOT NULL,
      PRIMARY KEY (chain_id, contract)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE chain_settings (
      chain_id INTEGER PRIMARY KEY,
      settings TEXT NOT NULL
    ) STRICT;
    ALTER TABLE paymasters ADD COLUMN changes INTEGER NOT NULL DEFAULT 0 CHECK (changes >= 0);
  `,
};
