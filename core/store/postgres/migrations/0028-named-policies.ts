import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const namedPolicies: Migration = {
  version: 28,
  name: 'named-policies',
  sql: `
    CREATE TABLE named_policies (
      policy_id text COLLATE "C" PRIMARY KEY,
      paymaster_id text COLLATE "C" NOT NULL REFERENCES paymasters (paymaster_id),
      name text COLLATE "C" NOT NULL,
      description text COLLATE "C",
      author text COLLATE "C",
      icon text COLLATE "C",
      enabled bigint NOT NULL CHECK (enabled IN (0, 1)),
      policy text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    );
    CREATE UNIQUE INDEX named_policies_by_name ON named_policies (paymaster_id, name);
    ALTER TABLE holds ADD COLUMN policy_id text COLLATE "C" NOT NULL DEFAULT '';
    DROP INDEX one_live_hold_per_slot;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id, policy_id) WHERE state = 'live';
    DROP INDEX counted_holds;
    CREATE INDEX counted_holds ON holds (paymaster_id, policy_id, created_at) WHERE counted IS NOT NULL;
    ALTER TABLE limit_usage RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE counted_hours RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE decisions ADD COLUMN policy_id text COLLATE "C" NOT NULL DEFAULT '';
  `,
};
