import type { Migration } from '../../migration.ts';

/**
 * What a contract takes from its customers' balances and users pay in tokens. `entries` gets kinds for a customer's
 * withdrawal and for what a tank is short of; SQLite changes a CHECK only by making the table again.
 */
export const charges: Migration = {
  version: 4,
  name: 'charges',
  sql: `
    ALTER TABLE tanks ADD COLUMN shortfall TEXT NOT NULL DEFAULT '0000000000000000000000000000000000000000'
      CHECK (length(shortfall) = 40);
    CREATE INDEX tanks_with_shortfall ON tanks (chain_id, contract)
      WHERE shortfall <> '0000000000000000000000000000000000000000';
    CREATE TABLE entries_with_withdrawals (
      entry_id INTEGER PRIMARY KEY,
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      kind TEXT NOT NULL CHECK (
        kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'hold', 'release', 'settle', 'shortfall', 'recovery')
      ),
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      hold_id INTEGER REFERENCES holds (hold_id),
      reason TEXT CHECK ((reason IS NOT NULL) = (kind IN ('credit', 'debit'))),
      tx_hash TEXT,
      log_index INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO entries_with_withdrawals
      SELECT entry_id, tank_id, kind, amount, hold_id, reason, tx_hash, log_index, created_at FROM entries;
    DROP TABLE entries;
    ALTER TABLE entries_with_withdrawals RENAME TO entries;
    CREATE INDEX entries_by_tank ON entries (tank_id, entry_id);
    CREATE UNIQUE INDEX one_entry_per_log ON entries (tank_id, tx_hash, log_index, kind, coalesce(hold_id, 0))
      WHERE tx_hash IS NOT NULL;
    CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
    CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
    CREATE TABLE token_payments (
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
      UNIQUE (chain_id, contract, tx_hash, log_index)
    ) STRICT;
    CREATE INDEX token_payments_by_hold ON token_payments (hold_id) WHERE hold_id IS NOT NULL;
    CREATE TRIGGER token_payments_are_not_changed BEFORE UPDATE ON token_payments
      BEGIN SELECT RAISE(ABORT, 'token payments are never changed'); END;
    CREATE TRIGGER token_payments_are_not_deleted BEFORE DELETE ON token_payments
      BEGIN SELECT RAISE(ABORT, 'token payments are never deleted'); END;
  `,
};
