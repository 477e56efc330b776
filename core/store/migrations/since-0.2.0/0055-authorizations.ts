import type { Migration } from '../migration.ts';

/**
 * EIP-7702 authorizations that the operator's hot wallet sends, stored like relayed operations. `authority`: the account
 * that signed; null for an operation. `transfer_id`: the transaction of the hot wallet that carries it; null until there is
 * one.
 */
const authorizations: Migration = {
  version: 55,
  name: 'authorizations',
  sql: ({ integer, text }) => `
    ALTER TABLE relayed_operations ADD COLUMN authority ${text};
    ALTER TABLE relayed_operations ADD COLUMN transfer_id ${integer} REFERENCES treasury_transfers (transfer_id);
    CREATE INDEX relayed_operations_by_authority ON relayed_operations (chain_id, authority) WHERE authority IS NOT NULL;
    CREATE INDEX relayed_operations_by_transfer ON relayed_operations (transfer_id) WHERE transfer_id IS NOT NULL;
  `,
  // They would hand authorizations to the bundler.
  endsOlderWriters: true,
};

export const stepsTo55: readonly Migration[] = [authorizations];
