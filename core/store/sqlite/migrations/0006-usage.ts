import type { Migration } from '../../migration.ts';

/**
 * What pruned decisions came to, so that usage still adds up without them; and the indexes by which the decisions of one
 * hold and the limit counts of ended windows are found.
 */
export const usage: Migration = {
  version: 6,
  name: 'usage',
  sql: `
    CREATE TABLE usage_totals (
      paymaster_id TEXT NOT NULL,
      dimension TEXT NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'outcome')),
      day TEXT NOT NULL CHECK (length(day) = 10),
      key TEXT NOT NULL,
      signed INTEGER NOT NULL CHECK (signed >= 0),
      quoted INTEGER NOT NULL CHECK (quoted >= 0),
      stub INTEGER NOT NULL CHECK (stub >= 0),
      refused INTEGER NOT NULL CHECK (refused >= 0),
      landed INTEGER NOT NULL CHECK (landed >= 0),
      charge TEXT NOT NULL CHECK (length(charge) = 40),
      PRIMARY KEY (paymaster_id, dimension, day, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX decisions_by_hold ON decisions (hold_id, decision_number) WHERE hold_id IS NOT NULL;
    CREATE INDEX limit_usage_by_window ON limit_usage (span, span_start);
  `,
};
