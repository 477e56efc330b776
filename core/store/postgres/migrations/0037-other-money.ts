import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const otherMoney: Migration = {
  version: 37,
  name: 'other-money',
  sql: `
    CREATE INDEX other_money_entries ON entries (tank_id, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit');
  `,
};
