import type { Migration } from '../../migration.ts';

/**
 * Several master keys while one takes the place of another, what is left of those that are gone, and which key signed for a
 * paymaster contract from when to when.
 */
export const keyRotation: Migration = {
  version: 9,
  name: 'key-rotation',
  sql: `
    CREATE TABLE master_keys (
      digest TEXT PRIMARY KEY CHECK (length(digest) = 64)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO master_keys (digest) SELECT digest FROM master_key_check;
    DROP TABLE master_key_check;

    CREATE TABLE retired_digest_keys (
      master_key TEXT PRIMARY KEY CHECK (length(master_key) = 64),
      key_sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE contract_signers (
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL CHECK (length(contract) = 42),
      signer TEXT NOT NULL CHECK (length(signer) = 42),
      since INTEGER NOT NULL,
      until INTEGER CHECK (until >= since),
      PRIMARY KEY (chain_id, contract, signer)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX contract_signers_now ON contract_signers (chain_id, contract) WHERE until IS NULL;
  `,
};
