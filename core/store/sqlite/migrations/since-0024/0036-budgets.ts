import type { Migration } from '../../../migration.ts';

/**
 * Budgets of accounts in USD, and the worth that they count: of each hold, and summed by paymaster and day. What was held before is
 * worth what a limit in USD has counted, or what it cost when it was booked, so that a budget of this month has it.
 */
export const budgets: Migration = {
  version: 36,
  name: 'budgets',
  sql: `
    CREATE TABLE budgets (
      budget_id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      max_usd_micros INTEGER NOT NULL CHECK (max_usd_micros >= 0),
      span TEXT NOT NULL CHECK (span IN ('day', 'week', 'month', 'ever')),
      paymaster_ids TEXT CHECK (length(paymaster_ids) > 0),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      updated_at INTEGER NOT NULL CHECK (updated_at >= 0),
      UNIQUE (account_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE worth_sums (
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      paymaster_id TEXT NOT NULL,
      span TEXT NOT NULL CHECK (span IN ('day', 'ever')),
      span_start INTEGER NOT NULL CHECK (span_start >= 0),
      usd_micros INTEGER NOT NULL,
      PRIMARY KEY (account_id, paymaster_id, span, span_start)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE holds ADD COLUMN worth INTEGER CHECK (worth >= 0);
    ALTER TABLE holds ADD COLUMN worth_held INTEGER CHECK (worth_held >= 0);
    UPDATE holds SET worth = coalesce(usd_micros, charge_usd)
      WHERE counted IS NOT NULL AND state <> 'released' AND coalesce(usd_micros, charge_usd) IS NOT NULL;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, holds.paymaster_id, 'day', holds.created_at - holds.created_at % 86400, sum(worth)
      FROM holds JOIN paymasters ON paymasters.paymaster_id = holds.paymaster_id
      WHERE worth IS NOT NULL GROUP BY 1, 2, 4;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, paymaster_id, 'ever', 0, sum(usd_micros) FROM worth_sums GROUP BY 1, 2;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, '', span, span_start, sum(usd_micros) FROM worth_sums GROUP BY 1, 3, 4;
  `,
};
