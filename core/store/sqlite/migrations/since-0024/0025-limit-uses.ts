import type { Migration } from '../../../migration.ts';

/** All that gateways ever told of a limit, by which each sees whether others had a part in it. */
export const limitUses: Migration = {
  version: 25,
  name: 'limit-uses',
  sql: `
    ALTER TABLE shared_limits ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
  `,
};
