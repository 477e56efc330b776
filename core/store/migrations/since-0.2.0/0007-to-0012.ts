import type { Migration } from '../migration.ts';

/** Holds and signatures of operations that can land without payment, and what such operations have cost. */
const unpaid: Migration = {
  version: 7,
  name: 'unpaid',
  sql: () => `
    ALTER TABLE holds ADD COLUMN at_risk TEXT CHECK (at_risk IS NULL OR length(at_risk) = 40);
    ALTER TABLE holds ADD COLUMN unpaid TEXT CHECK (unpaid IS NULL OR length(unpaid) = 40);
    ALTER TABLE holds ADD COLUMN unpaid_at INTEGER CHECK ((unpaid_at IS NULL) = (unpaid IS NULL));
    ALTER TABLE signatures ADD COLUMN at_risk INTEGER NOT NULL DEFAULT 0 CHECK (at_risk IN (0, 1));
    CREATE INDEX live_holds_at_risk ON holds (paymaster_id, sender) WHERE state = 'live' AND at_risk IS NOT NULL;
    CREATE INDEX unpaid_holds ON holds (paymaster_id, unpaid_at) WHERE unpaid IS NOT NULL;
  `,
};

/**
 * The requester of a live hold, as a keyed digest of its address, to cap what one address has open; and live holds by id.
 */
const clients: Migration = {
  version: 8,
  name: 'clients',
  sql: () => `
    ALTER TABLE holds ADD COLUMN client TEXT CHECK (client IS NULL OR state = 'live');
    CREATE INDEX live_holds ON holds (hold_id) WHERE state = 'live';
    CREATE INDEX live_holds_by_client ON holds (client) WHERE state = 'live' AND client IS NOT NULL;
  `,
};

/**
 * Several master keys during a rotation, the remains of former ones, and which key signed for a paymaster contract in which
 * period.
 */
const keyRotation: Migration = {
  version: 9,
  name: 'key-rotation',
  sql: () => `
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

/** Whether a hold is for an operation that creates its account, with known code: others may be signed after it. */
const deployments: Migration = {
  version: 10,
  name: 'deployments',
  sql: () => `ALTER TABLE holds ADD COLUMN deploys INTEGER NOT NULL DEFAULT 0 CHECK (deploys IN (0, 1));`,
};

/** The sender of a deposit's transaction, and indexes for stray deposits, their credits, and tanks without a paymaster. */
const strayDeposits: Migration = {
  version: 11,
  name: 'stray-deposits',
  sql: () => `
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

/**
 * The ledger's progress per contract, hashes of passed blocks, and what a rollback after a reorg needs: a row that
 * `reverses` another counts negatively. `rewind` is how often the contract's ledger had been rolled back when a row was
 * written, since the same transaction may come again. `watches` keeps the progress of earlier versions per EntryPoint, from
 * where a contract's own watch continues once.
 */
const contractWatches: Migration = {
  version: 12,
  name: 'contract-watches',
  sql: () => `
    CREATE TABLE contract_watches (
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      next_block INTEGER NOT NULL CHECK (next_block >= 0),
      last_hash TEXT NOT NULL,
      rewinds INTEGER NOT NULL DEFAULT 0 CHECK (rewinds >= 0),
      PRIMARY KEY (chain_id, contract)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE passed_blocks (
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      block_number INTEGER NOT NULL CHECK (block_number >= 0),
      hash TEXT NOT NULL,
      PRIMARY KEY (chain_id, contract, block_number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE movements_with_reversals (
      movement_id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'cost')),
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      tank_id INTEGER REFERENCES tanks (tank_id),
      block_number INTEGER NOT NULL,
      tx_hash TEXT NOT NULL,
      log_index INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      sender TEXT CHECK (sender IS NULL OR (kind = 'deposit' AND length(sender) = 42)),
      rewind INTEGER NOT NULL DEFAULT 0 CHECK (rewind >= 0),
      reverses INTEGER REFERENCES movements_with_reversals (movement_id)
    ) STRICT;
    INSERT INTO movements_with_reversals
      SELECT movement_id, chain_id, contract, kind, amount, tank_id, block_number, tx_hash, log_index, created_at, sender,
        0, NULL
      FROM movements;
    DROP TABLE movements;
    ALTER TABLE movements_with_reversals RENAME TO movements;
    CREATE UNIQUE INDEX one_movement_per_log ON movements (chain_id, contract, tx_hash, log_index, rewind)
      WHERE reverses IS NULL;
    CREATE UNIQUE INDEX one_reversal_of_a_movement ON movements (reverses) WHERE reverses IS NOT NULL;
    CREATE INDEX movements_by_block ON movements (chain_id, contract, block_number);
    CREATE INDEX deposits_of_no_tank ON movements (chain_id, contract, tx_hash)
      WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE INDEX deposits_of_no_tank_by_sender ON movements (chain_id, contract, sender, tx_hash)
      WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE TRIGGER movements_are_not_changed BEFORE UPDATE ON movements
      BEGIN SELECT RAISE(ABORT, 'movements are never changed'); END;
    CREATE TRIGGER movements_are_not_deleted BEFORE DELETE ON movements
      BEGIN SELECT RAISE(ABORT, 'movements are never deleted'); END;
    DROP TRIGGER entries_are_not_changed;
    DROP TRIGGER entries_are_not_deleted;
    ALTER TABLE entries ADD COLUMN rewind INTEGER NOT NULL DEFAULT 0 CHECK (rewind >= 0);
    ALTER TABLE entries ADD COLUMN block_number INTEGER;
    ALTER TABLE entries ADD COLUMN reverses INTEGER REFERENCES entries (entry_id);
    DROP INDEX one_entry_per_log;
    CREATE UNIQUE INDEX one_entry_per_log ON entries (tank_id, tx_hash, log_index, kind, coalesce(hold_id, 0), rewind)
      WHERE tx_hash IS NOT NULL AND reverses IS NULL;
    CREATE UNIQUE INDEX one_reversal_of_an_entry ON entries (reverses) WHERE reverses IS NOT NULL;
    CREATE INDEX entries_by_block ON entries (block_number) WHERE block_number IS NOT NULL;
    CREATE INDEX entries_by_transaction ON entries (tx_hash) WHERE tx_hash IS NOT NULL;
    DROP INDEX deposit_entries_by_transaction;
    CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
    CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
    CREATE TABLE token_payments_with_reversals (
      token_payment_id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      tx_hash TEXT NOT NULL,
      log_index INTEGER NOT NULL,
      user_operation_hash TEXT NOT NULL,
      hold_id INTEGER REFERENCES holds (hold_id),
      token TEXT NOT NULL CHECK (length(token) = 42),
      amount TEXT NOT NULL CHECK (amount = '0' OR (amount GLOB '[1-9]*' AND amount NOT GLOB '*[^0-9]*')),
      block_number INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      rewind INTEGER NOT NULL DEFAULT 0 CHECK (rewind >= 0),
      reverses INTEGER REFERENCES token_payments_with_reversals (token_payment_id)
    ) STRICT;
    INSERT INTO token_payments_with_reversals
      SELECT token_payment_id, chain_id, contract, tx_hash, log_index, user_operation_hash, hold_id, token, amount,
        block_number, created_at, 0, NULL
      FROM token_payments;
    DROP TABLE token_payments;
    ALTER TABLE token_payments_with_reversals RENAME TO token_payments;
    CREATE UNIQUE INDEX one_token_payment_per_log ON token_payments (chain_id, contract, tx_hash, log_index, rewind)
      WHERE reverses IS NULL;
    CREATE UNIQUE INDEX one_reversal_of_a_token_payment ON token_payments (reverses) WHERE reverses IS NOT NULL;
    CREATE INDEX token_payments_by_hold ON token_payments (hold_id) WHERE hold_id IS NOT NULL;
    CREATE INDEX token_payments_by_block ON token_payments (chain_id, contract, block_number);
    CREATE TRIGGER token_payments_are_not_changed BEFORE UPDATE ON token_payments
      BEGIN SELECT RAISE(ABORT, 'token payments are never changed'); END;
    CREATE TRIGGER token_payments_are_not_deleted BEFORE DELETE ON token_payments
      BEGIN SELECT RAISE(ABORT, 'token payments are never deleted'); END;
  `,
};

export const stepsTo12: readonly Migration[] = [
  unpaid,
  clients,
  keyRotation,
  deployments,
  strayDeposits,
  contractWatches,
];
