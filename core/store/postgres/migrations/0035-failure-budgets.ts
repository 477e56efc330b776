import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const failureBudgets: Migration = {
  version: 35,
  name: 'failure-budgets',
  sql: `
    ALTER TABLE webhooks ADD COLUMN failure_window text COLLATE "C" CHECK (failure_window IN ('hour', 'day'));
    ALTER TABLE webhooks ADD COLUMN failure_max text COLLATE "C" CHECK (length(failure_max) = 40)
      CHECK ((failure_max IS NULL) = (failure_window IS NULL));
    ALTER TABLE webhooks ADD COLUMN failure_era bigint NOT NULL DEFAULT 0 CHECK (failure_era >= 0);
  `,
};
