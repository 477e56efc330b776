import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const coinPrices: Migration = {
  version: 18,
  name: 'coin-prices',
  sql: `
    ALTER TABLE entries ADD COLUMN usd_micros bigint CHECK (usd_micros >= 0);
    ALTER TABLE entries ADD COLUMN usd_micros_per_coin bigint
      CHECK ((usd_micros_per_coin IS NULL) = (usd_micros IS NULL));
    ALTER TABLE entries ADD COLUMN priced_at bigint CHECK ((priced_at IS NULL) = (usd_micros IS NULL));
    CREATE INDEX money_entries ON entries (tank_id, kind, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'settle');
    ALTER TABLE holds ADD COLUMN charge_usd bigint CHECK (charge_usd >= 0);
    ALTER TABLE usage_totals ADD COLUMN priced bigint NOT NULL DEFAULT 0 CHECK (priced >= 0);
    ALTER TABLE usage_totals ADD COLUMN charge_usd bigint NOT NULL DEFAULT 0 CHECK (charge_usd >= 0);
  `,
};
