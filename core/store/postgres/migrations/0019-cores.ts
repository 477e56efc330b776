import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const cores: Migration = {
  version: 19,
  name: 'cores',
  sql: `
    CREATE TABLE book_standings (
      chain_id bigint NOT NULL,
      contract text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL CHECK (state IN ('kept', 'reading', 'stopped')),
      fault text COLLATE "C" CHECK ((fault IS NULL) = (state <> 'stopped')),
      told_at bigint NOT NULL,
      PRIMARY KEY (chain_id, contract)
    );
    CREATE TABLE chain_settings (
      chain_id bigint PRIMARY KEY,
      settings text COLLATE "C" NOT NULL
    );
    ALTER TABLE paymasters ADD COLUMN changes bigint NOT NULL DEFAULT 0 CHECK (changes >= 0);
  `,
};
