import type { Migration } from '../../../migration.ts';

/**
 * How many decisions are kept: of each paymaster, of each account (without a paymaster), and of all up to a number. Housekeeping
 * counts them behind the writers, those that are there at the upgrade too.
 */
export const keptDecisions: Migration = {
  version: 42,
  name: 'kept-decisions',
  sql: `
    CREATE TABLE kept_decisions (
      account_id TEXT NOT NULL,
      paymaster_id TEXT NOT NULL,
      decisions INTEGER NOT NULL,
      PRIMARY KEY (account_id, paymaster_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_decisions_by_account ON kept_decisions (decisions, account_id) WHERE paymaster_id = '';
    CREATE TABLE counted_decisions (
      counted INTEGER PRIMARY KEY CHECK (counted = 1),
      until_number INTEGER NOT NULL,
      decisions INTEGER NOT NULL
    ) STRICT;
  `,
};
