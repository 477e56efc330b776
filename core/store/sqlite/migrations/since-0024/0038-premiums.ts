import type { Migration } from '../../../migration.ts';
import { weiSum } from '../wei-sum.ts';

/**
 * What the EntryPoint took for the operations of a day, next to what their tank paid, and what the difference was worth in
 * millionths of a USD: the premium of a statement, which was read operation by operation. Of an operation whose cost is not in the
 * journal the premium is none, as before. The index of all that moves money is of no use any more.
 */
export const premiums: Migration = {
  version: 38,
  name: 'premiums',
  sql: `
    ALTER TABLE settled_days ADD COLUMN cost TEXT NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(cost) = 40);
    ALTER TABLE settled_days ADD COLUMN premium_usd_micros INTEGER NOT NULL DEFAULT 0;
    WITH charged AS (
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400 AS day,
        coalesce(holds.paymaster_id, '') AS paymaster_id, entries.reverses IS NOT NULL AS back, entries.amount AS wei,
        coalesce(cost.amount, entries.amount) AS cost, entries.usd_micros_per_coin AS price
      FROM entries JOIN tanks ON tanks.tank_id = entries.tank_id
        LEFT JOIN holds ON holds.hold_id = entries.hold_id
        LEFT JOIN entries AS origin ON origin.entry_id = entries.reverses
        LEFT JOIN movements AS cost ON cost.tx_hash = entries.tx_hash AND cost.log_index = entries.log_index
          AND cost.rewind = coalesce(origin.rewind, entries.rewind) AND cost.chain_id = tanks.chain_id
          AND cost.contract = tanks.contract AND cost.reverses IS NULL AND cost.kind = 'cost'
      WHERE entries.kind = 'settle'
    ), sums AS (
      SELECT tank_id, day, paymaster_id, back, ${weiSum('cost')} AS cost,
        sum(CAST(round((CAST(wei AS REAL) - CAST(cost AS REAL)) * coalesce(price, 0) / 1e18, 3) AS INTEGER)) AS worth
      FROM charged GROUP BY 1, 2, 3, 4
    )
    UPDATE settled_days SET cost = sums.cost, premium_usd_micros = sums.worth FROM sums
      WHERE settled_days.tank_id = sums.tank_id AND settled_days.day = sums.day
        AND settled_days.paymaster_id = sums.paymaster_id AND settled_days.back = sums.back;
    DROP INDEX money_entries;
  `,
};
