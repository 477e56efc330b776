import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const contractWallets: Migration = {
  version: 44,
  name: 'contract-wallets',
  sql: 'ALTER TABLE account_members ADD COLUMN chain_id bigint CHECK (chain_id > 0);',
};
