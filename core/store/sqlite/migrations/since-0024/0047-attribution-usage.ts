import type { Migration } from '../../../migration.ts';

/** Usage is counted by attribution code (ERC-8021) too. SQLite changes a CHECK only with the table. */
export const attributionUsage: Migration = {
  version: 47,
  name: 'attribution-usage',
  sql: `
    ALTER TABLE usage_sums RENAME TO usage_sums_before;
    CREATE TABLE usage_sums (
      paymaster_id TEXT NOT NULL,
      dimension TEXT NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'attribution')),
      span_days INTEGER NOT NULL CHECK (span_days IN (1, 7)),
      day INTEGER NOT NULL CHECK (day % (86400 * span_days) = 0),
      key TEXT NOT NULL,
      signed INTEGER NOT NULL CHECK (signed >= 0),
      quoted INTEGER NOT NULL CHECK (quoted >= 0),
      stub INTEGER NOT NULL CHECK (stub >= 0),
      refused INTEGER NOT NULL CHECK (refused >= 0),
      landed INTEGER NOT NULL CHECK (landed >= 0),
      charge TEXT NOT NULL CHECK (length(charge) = 40),
      priced INTEGER NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros INTEGER NOT NULL CHECK (usd_micros >= 0),
      users_paid TEXT NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40),
      PRIMARY KEY (paymaster_id, dimension, span_days, day, key)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO usage_sums SELECT * FROM usage_sums_before;
    DROP TABLE usage_sums_before;
  `,
};
