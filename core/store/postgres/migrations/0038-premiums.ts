import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const premiums: Migration = {
  version: 38,
  name: 'premiums',
  sql: `
    ALTER TABLE settled_days ADD COLUMN cost text COLLATE "C" NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(cost) = 40);
    ALTER TABLE settled_days ADD COLUMN premium_usd_micros bigint NOT NULL DEFAULT 0;
    WITH charged AS (
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400 AS day,
        coalesce(holds.paymaster_id, '') AS paymaster_id, (entries.reverses IS NOT NULL)::int AS back,
        entries.amount::numeric AS wei, coalesce(cost.amount, entries.amount)::numeric AS cost,
        coalesce(entries.usd_micros_per_coin, 0) AS price
      FROM entries JOIN tanks ON tanks.tank_id = entries.tank_id
        LEFT JOIN holds ON holds.hold_id = entries.hold_id
        LEFT JOIN entries AS origin ON origin.entry_id = entries.reverses
        LEFT JOIN movements AS cost ON cost.tx_hash = entries.tx_hash AND cost.log_index = entries.log_index
          AND cost.rewind = coalesce(origin.rewind, entries.rewind) AND cost.chain_id = tanks.chain_id
          AND cost.contract = tanks.contract AND cost.reverses IS NULL AND cost.kind = 'cost'
      WHERE entries.kind = 'settle'
    ), sums AS (
      SELECT tank_id, day, paymaster_id, back, lpad(sum(cost)::text, 40, '0') AS cost,
        sum(trunc((wei - cost) * price / 1e18))::bigint AS worth
      FROM charged GROUP BY 1, 2, 3, 4
    )
    UPDATE settled_days SET cost = sums.cost, premium_usd_micros = sums.worth FROM sums
      WHERE settled_days.tank_id = sums.tank_id AND settled_days.day = sums.day
        AND settled_days.paymaster_id = sums.paymaster_id AND settled_days.back = sums.back;
    DROP INDEX money_entries;
  `,
  // They would book settlements without what the EntryPoint took.
  endsOlderWriters: true,
};
