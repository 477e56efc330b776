import type { Migration } from '../../../migration.ts';

/**
 * What may be sponsored without a webhook that is down: so much wei in each window, nothing where there is none. `failure_era` is
 * counted up when the webhook is changed, and what was counted before is not counted any more.
 */
export const failureBudgets: Migration = {
  version: 35,
  name: 'failure-budgets',
  sql: `
    ALTER TABLE webhooks ADD COLUMN failure_window TEXT CHECK (failure_window IN ('hour', 'day'));
    ALTER TABLE webhooks ADD COLUMN failure_max TEXT CHECK (length(failure_max) = 40)
      CHECK ((failure_max IS NULL) = (failure_window IS NULL));
    ALTER TABLE webhooks ADD COLUMN failure_era INTEGER NOT NULL DEFAULT 0 CHECK (failure_era >= 0);
  `,
};
