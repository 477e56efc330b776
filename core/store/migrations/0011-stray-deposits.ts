import type { Migration } from './migration.ts';

/** Who sent a deposit's transaction, and what finds deposits of no tank and the credits that stand for them. */
export const strayDeposits: Migration = {
  version: 11,
  name: 'stray-deposits',
  sql: `
    ALTER TABLE movements ADD COLUMN sender TEXT CHECK (sender IS NULL OR (kind = 'deposit' AND length(sender) = 42));
    CREATE INDEX deposits_of_no_tank ON movements (chain_id, contract, sender)
      WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE INDEX deposit_entries_by_transaction ON entries (tx_hash) WHERE kind = 'deposit';
    CREATE INDEX corrections_for_deposits ON entries (tank_id, tx_hash) WHERE reason IS NOT NULL AND tx_hash IS NOT NULL;
  `,
};
