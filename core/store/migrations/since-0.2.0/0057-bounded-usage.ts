import type { Migration } from '../migration.ts';

const dimensions = `('day', 'hour', 'sender', 'contract', 'method', 'token', 'attribution', 'via')`;
const counts = ['signed', 'quoted', 'stub', 'refused', 'landed', 'priced', 'usd_micros'];

/**
 * Usage is only counted by day, after its decisions, and a caller's choice opens no row. Rows of senders, contracts, methods and codes
 * for which nothing was signed become one a day. Decisions that are not counted as kept are in the sums already: they are counted.
 */
export const boundedUsage: Migration = {
  version: 57,
  name: 'bounded-usage',
  sql: ({ integer, text, byKey, sumWei }) => `
    CREATE TABLE bounded_usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN ${dimensions}),
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      key ${text} NOT NULL,
      signed ${integer} NOT NULL CHECK (signed >= 0),
      quoted ${integer} NOT NULL CHECK (quoted >= 0),
      stub ${integer} NOT NULL CHECK (stub >= 0),
      refused ${integer} NOT NULL CHECK (refused >= 0),
      landed ${integer} NOT NULL CHECK (landed >= 0),
      charge ${text} NOT NULL CHECK (length(charge) = 40),
      users_paid ${text} NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      chosen_keys ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (paymaster_id, dimension, day, key)
    )${byKey};
    INSERT INTO bounded_usage_sums
      (paymaster_id, dimension, day, key, ${counts.join(', ')}, charge, users_paid)
    SELECT paymaster_id, dimension, day,
      CASE WHEN signed = 0 AND landed = 0 AND key <> 'none' AND dimension IN ('sender', 'contract', 'method', 'attribution')
        THEN 'other' ELSE key END,
      ${counts.map((count) => `sum(${count})`).join(', ')}, ${sumWei('charge')}, ${sumWei('users_paid')}
    FROM usage_sums WHERE span_days = 1 GROUP BY 1, 2, 3, 4;
    DROP TABLE usage_sums;
    ALTER TABLE bounded_usage_sums RENAME TO usage_sums;
    CREATE INDEX usage_sums_by_day ON usage_sums (dimension, day);
    INSERT INTO kept_decisions (account_id, paymaster_id, decisions)
    SELECT account_id, owner, count(*) FROM (
      SELECT account_id, decisions.paymaster_id AS owner FROM decisions JOIN paymasters USING (paymaster_id)
      WHERE decision_number > coalesce((SELECT until_number FROM counted_decisions), 0)
      UNION ALL SELECT account_id, '' FROM decisions JOIN paymasters USING (paymaster_id)
      WHERE decision_number > coalesce((SELECT until_number FROM counted_decisions), 0)
    ) AS uncounted WHERE true GROUP BY account_id, owner
    ON CONFLICT (account_id, paymaster_id) DO UPDATE SET decisions = kept_decisions.decisions + excluded.decisions;
    INSERT INTO counted_decisions (counted, until_number, decisions)
    SELECT 1, coalesce(max(decision_number), 0),
      (SELECT coalesce(sum(decisions), 0) FROM kept_decisions WHERE paymaster_id = '') FROM decisions WHERE true
    ON CONFLICT (counted) DO UPDATE SET until_number = excluded.until_number, decisions = excluded.decisions;
  `,
  // They would count decisions that are counted later, and by week.
  endsOlderWriters: true,
};
