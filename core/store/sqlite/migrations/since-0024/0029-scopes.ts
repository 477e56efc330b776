import type { Migration } from '../../../migration.ts';

/** What an authToken may; those that were there may everything, as before. */
export const scopes: Migration = {
  version: 29,
  name: 'scopes',
  sql: `
    ALTER TABLE auth_tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read manage funds'
      CHECK (length(scopes) > 0);
  `,
};
