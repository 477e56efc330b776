import type { Migration } from '../../migration.ts';

/** Whether a hold is for an operation that makes its account, of code that is known: others may be signed behind it. */
export const deployments: Migration = {
  version: 10,
  name: 'deployments',
  sql: 'ALTER TABLE holds ADD COLUMN deploys INTEGER NOT NULL DEFAULT 0 CHECK (deploys IN (0, 1));',
};
