import type { Migration } from '../../migration.ts';

/** Who sent a deposit's transaction, and what finds deposits of no tank, the credits for them and tanks of no paymaster. */
export const strayDeposits: Migration = {
  version: 11,
  name: 'stray-deposits',
  sql: `
    ALTER TABLE movements ADD COLUMN sender TEXT CHECK (sender IS NULL OR (kind = 'deposit' AND length(sender) = 42));
    CREATE INDEX deposits_of_no_tank ON movements (chain_id, contract, tx_hash)
      WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE INDEX deposits_of_no_tank_by_sender ON movements (chain_id, contract, sender, tx_hash)
      WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE INDEX deposit_entries_by_transaction ON entries (tx_hash) WHERE kind = 'deposit';
    CREATE INDEX corrections_for_deposits ON entries (tank_id, tx_hash) WHERE reason IS NOT NULL AND tx_hash IS NOT NULL;
    CREATE INDEX paymasters_by_funding_wallet ON paymasters (funding_wallet) WHERE funding_wallet IS NOT NULL;
  `,
};
