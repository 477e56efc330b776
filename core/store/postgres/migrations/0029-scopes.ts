import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const scopes: Migration = {
  version: 29,
  name: 'scopes',
  sql: `
    ALTER TABLE auth_tokens ADD COLUMN scopes text COLLATE "C" NOT NULL DEFAULT 'read manage funds'
      CHECK (length(scopes) > 0);
  `,
};
