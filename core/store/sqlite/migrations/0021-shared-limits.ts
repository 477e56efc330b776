import type { Migration } from '../../migration.ts';

/**
 * What the limits of gateways have left, in thousandths, at a time in Unix milliseconds, by the digest of a limit and whose it
 * is. They are kept here where gateways have several processes, so not in a file.
 */
export const sharedLimits: Migration = {
  version: 21,
  name: 'shared-limits',
  sql: `
    CREATE TABLE shared_limits (
      name TEXT PRIMARY KEY,
      level INTEGER NOT NULL,
      level_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX shared_limits_by_time ON shared_limits (level_at);
  `,
};
