import type { Migration } from '../../../migration.ts';

/**
 * Named policies next to the default one of a paymaster, and under which of them something was held and decided: empty means
 * the default one. Limits count by policy: the default one's under the id of its paymaster. Holds of one nonce are kept apart
 * by policy too.
 */
export const namedPolicies: Migration = {
  version: 28,
  name: 'named-policies',
  sql: `
    CREATE TABLE named_policies (
      policy_id TEXT PRIMARY KEY,
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      name TEXT NOT NULL,
      description TEXT,
      author TEXT,
      icon TEXT,
      enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
      policy TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX named_policies_by_name ON named_policies (paymaster_id, name);
    ALTER TABLE holds ADD COLUMN policy_id TEXT NOT NULL DEFAULT '';
    DROP INDEX one_live_hold_per_slot;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id, policy_id) WHERE state = 'live';
    DROP INDEX counted_holds;
    CREATE INDEX counted_holds ON holds (paymaster_id, policy_id, created_at) WHERE counted IS NOT NULL;
    ALTER TABLE limit_usage RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE counted_hours RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE decisions ADD COLUMN policy_id TEXT NOT NULL DEFAULT '';
  `,
};
