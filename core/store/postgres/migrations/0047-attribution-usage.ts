import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const attributionUsage: Migration = {
  version: 47,
  name: 'attribution-usage',
  sql: `
    ALTER TABLE usage_sums DROP CONSTRAINT usage_sums_dimension_check;
    ALTER TABLE usage_sums ADD CONSTRAINT usage_sums_dimension_check
      CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'attribution'));
  `,
};
