import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const budgets: Migration = {
  version: 36,
  name: 'budgets',
  sql: `
    CREATE TABLE budgets (
      budget_id text COLLATE "C" NOT NULL PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (account_id),
      name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      max_usd_micros bigint NOT NULL CHECK (max_usd_micros >= 0),
      span text COLLATE "C" NOT NULL CHECK (span IN ('day', 'week', 'month', 'ever')),
      paymaster_ids text COLLATE "C" CHECK (length(paymaster_ids) > 0),
      created_at bigint NOT NULL CHECK (created_at >= 0),
      updated_at bigint NOT NULL CHECK (updated_at >= 0),
      UNIQUE (account_id, name)
    );
    CREATE TABLE worth_sums (
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (account_id),
      paymaster_id text COLLATE "C" NOT NULL,
      span text COLLATE "C" NOT NULL CHECK (span IN ('day', 'ever')),
      span_start bigint NOT NULL CHECK (span_start >= 0),
      usd_micros bigint NOT NULL,
      PRIMARY KEY (account_id, paymaster_id, span, span_start)
    );
    ALTER TABLE holds ADD COLUMN worth bigint CHECK (worth >= 0);
    ALTER TABLE holds ADD COLUMN worth_held bigint CHECK (worth_held >= 0);
    UPDATE holds SET worth = coalesce(usd_micros, charge_usd)
      WHERE counted IS NOT NULL AND state <> 'released' AND coalesce(usd_micros, charge_usd) IS NOT NULL;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, holds.paymaster_id, 'day', holds.created_at - holds.created_at % 86400, sum(worth)::bigint
      FROM holds JOIN paymasters ON paymasters.paymaster_id = holds.paymaster_id
      WHERE worth IS NOT NULL GROUP BY 1, 2, 4;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, paymaster_id, 'ever', 0, sum(usd_micros)::bigint FROM worth_sums GROUP BY 1, 2;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, '', span, span_start, sum(usd_micros)::bigint FROM worth_sums GROUP BY 1, 3, 4;
  `,
};
