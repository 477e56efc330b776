import type { Migration } from '../../migration.ts';

/**
 * What the wei of an entry were worth when it was booked, in millionths of a USD, with the price it was reckoned by and when
 * that was seen; null where no price was known, as of all earlier entries. The same of what a hold's operation cost, and the
 * sums of both for days that were pruned.
 */
export const coinPrices: Migration = {
  version: 18,
  name: 'coin-prices',
  sql: `
    ALTER TABLE entries ADD COLUMN usd_micros INTEGER CHECK (usd_micros >= 0);
    ALTER TABLE entries ADD COLUMN usd_micros_per_coin INTEGER
      CHECK ((usd_micros_per_coin IS NULL) = (usd_micros IS NULL));
    ALTER TABLE entries ADD COLUMN priced_at INTEGER CHECK ((priced_at IS NULL) = (usd_micros IS NULL));
    CREATE INDEX money_entries ON entries (tank_id, kind, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'settle');
    ALTER TABLE holds ADD COLUMN charge_usd INTEGER CHECK (charge_usd >= 0);
    ALTER TABLE usage_totals ADD COLUMN priced INTEGER NOT NULL DEFAULT 0 CHECK (priced >= 0);
    ALTER TABLE usage_totals ADD COLUMN charge_usd INTEGER NOT NULL DEFAULT 0 CHECK (charge_usd >= 0);
  `,
};
