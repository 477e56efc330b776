import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const shares: Migration = {
  version: 46,
  name: 'shares',
  sql: `
    ALTER TABLE holds ADD COLUMN user_percent bigint CHECK (user_percent BETWEEN 1 AND 99);
    ALTER TABLE holds ADD COLUMN users_paid text COLLATE "C" CHECK (length(users_paid) = 40);
    ALTER TABLE holds ADD COLUMN lasts_long bigint NOT NULL DEFAULT 0 CHECK (lasts_long IN (0, 1));
    ALTER TABLE settled_days ADD COLUMN users_paid text COLLATE "C" NOT NULL DEFAULT '${'0'.repeat(40)}'
      CHECK (length(users_paid) = 40);
    ALTER TABLE usage_sums ADD COLUMN users_paid text COLLATE "C" NOT NULL DEFAULT '${'0'.repeat(40)}'
      CHECK (length(users_paid) = 40);
    ALTER TABLE quotes ADD COLUMN user_percent bigint NOT NULL DEFAULT 100 CHECK (user_percent BETWEEN 1 AND 100);
  `,
  // They would sign at the rate of a share what they count in no limit.
  endsOlderWriters: true,
};
