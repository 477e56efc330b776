import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const keptDecisions: Migration = {
  version: 42,
  name: 'kept-decisions',
  sql: `
    CREATE TABLE kept_decisions (
      account_id text COLLATE "C" NOT NULL,
      paymaster_id text COLLATE "C" NOT NULL,
      decisions bigint NOT NULL,
      PRIMARY KEY (account_id, paymaster_id)
    );
    CREATE INDEX kept_decisions_by_account ON kept_decisions (decisions, account_id) WHERE paymaster_id = '';
    CREATE TABLE counted_decisions (
      counted bigint PRIMARY KEY CHECK (counted = 1),
      until_number bigint NOT NULL,
      decisions bigint NOT NULL
    );
  `,
};
