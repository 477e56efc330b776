import type { Migration } from '../../../migration.ts';

/**
 * Finds the entries that move money and are none of an operation's, which are few. Asked for by their kinds, SQLite took the
 * condition of the index that has them all, and read those of operations too.
 */
export const otherMoney: Migration = {
  version: 37,
  name: 'other-money',
  sql: `
    CREATE INDEX other_money_entries ON entries (tank_id, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit');
  `,
};
