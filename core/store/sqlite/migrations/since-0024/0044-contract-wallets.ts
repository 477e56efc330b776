import type { Migration } from '../../../migration.ts';

/** The chain of a member that is a contract wallet. Null: a wallet with a private key, which is the same on each chain. */
export const contractWallets: Migration = {
  version: 44,
  name: 'contract-wallets',
  sql: 'ALTER TABLE account_members ADD COLUMN chain_id INTEGER CHECK (chain_id > 0);',
};
