import type { Migration } from '../../migration.ts';

/**
 * Which holds and signatures are of operations that can land without being paid for, and what those that did have cost.
 */
export const unpaid: Migration = {
  version: 7,
  name: 'unpaid',
  sql: `
    ALTER TABLE holds ADD COLUMN at_risk TEXT CHECK (at_risk IS NULL OR length(at_risk) = 40);
    ALTER TABLE holds ADD COLUMN unpaid TEXT CHECK (unpaid IS NULL OR length(unpaid) = 40);
    ALTER TABLE holds ADD COLUMN unpaid_at INTEGER CHECK ((unpaid_at IS NULL) = (unpaid IS NULL));
    ALTER TABLE signatures ADD COLUMN at_risk INTEGER NOT NULL DEFAULT 0 CHECK (at_risk IN (0, 1));
    CREATE INDEX live_holds_at_risk ON holds (paymaster_id, sender) WHERE state = 'live' AND at_risk IS NOT NULL;
    CREATE INDEX unpaid_holds ON holds (paymaster_id, unpaid_at) WHERE unpaid IS NOT NULL;
  `,
};
