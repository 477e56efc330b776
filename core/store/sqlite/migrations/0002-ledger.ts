import type { Migration } from '../../migration.ts';

/**
 * Gas tanks, holds and their entries. Amounts are 40-digit wei text; the CHECK on `tanks` compares them as two limbs
 * of 22 and 18 digits, so that the database itself refuses `held + settled > funded`.
 */
export const ledger: Migration = {
  version: 2,
  name: 'ledger',
  sql: `
    CREATE TABLE tanks (
      tank_id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      wallet TEXT NOT NULL,
      funded TEXT NOT NULL CHECK (length(funded) = 40),
      settled TEXT NOT NULL CHECK (length(settled) = 40),
      held TEXT NOT NULL CHECK (length(held) = 40),
      UNIQUE (chain_id, contract, wallet),
      CONSTRAINT held_and_settled_within_funded CHECK (
        CAST(substr(held, 1, 22) AS INTEGER) + CAST(substr(settled, 1, 22) AS INTEGER)
          + (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) / 1000000000000000000
          < CAST(substr(funded, 1, 22) AS INTEGER)
        OR (
          CAST(substr(held, 1, 22) AS INTEGER) + CAST(substr(settled, 1, 22) AS INTEGER)
            + (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) / 1000000000000000000
            = CAST(substr(funded, 1, 22) AS INTEGER)
          AND (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) % 1000000000000000000
            <= CAST(substr(funded, 23) AS INTEGER)
        )
      )
    ) STRICT;
    CREATE TABLE contract_totals (
      chain_id INTEGER NOT NULL,
      contract TEXT NOT NULL,
      deposit TEXT NOT NULL CHECK (length(deposit) = 40),
      held TEXT NOT NULL CHECK (length(held) = 40),
      PRIMARY KEY (chain_id, contract)
    ) STRICT;
    CREATE TABLE holds (
      hold_id INTEGER PRIMARY KEY,
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      slot TEXT NOT NULL,
      sender TEXT NOT NULL,
      nonce TEXT NOT NULL,
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      valid_until INTEGER NOT NULL CHECK (valid_until > 0),
      state TEXT NOT NULL CHECK (state IN ('live', 'settled', 'released')),
      paymaster_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (tank_id, slot) WHERE state = 'live';
    CREATE INDEX live_holds_by_expiry ON holds (valid_until) WHERE state = 'live';
    CREATE INDEX holds_by_slot ON holds (slot);
    CREATE TABLE signatures (
      user_operation_hash TEXT PRIMARY KEY,
      hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
      entry_id INTEGER PRIMARY KEY,
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      kind TEXT NOT NULL CHECK (kind IN ('deposit', 'credit', 'debit', 'hold', 'release', 'settle')),
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      hold_id INTEGER REFERENCES holds (hold_id),
      reason TEXT CHECK ((reason IS NOT NULL) = (kind IN ('credit', 'debit'))),
      tx_hash TEXT,
      log_index INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX entries_by_tank ON entries (tank_id, entry_id);
    CREATE UNIQUE INDEX one_entry_per_log ON entries (tank_id, tx_hash, log_index, kind) WHERE tx_hash IS NOT NULL;
    CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
    CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
      BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
    CREATE TABLE movements (
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
      UNIQUE (chain_id, contract, tx_hash, log_index)
    ) STRICT;
    CREATE TRIGGER movements_are_not_changed BEFORE UPDATE ON movements
      BEGIN SELECT RAISE(ABORT, 'movements are never changed'); END;
    CREATE TRIGGER movements_are_not_deleted BEFORE DELETE ON movements
      BEGIN SELECT RAISE(ABORT, 'movements are never deleted'); END;
    CREATE TABLE watches (
      chain_id INTEGER NOT NULL,
      entry_point TEXT NOT NULL,
      next_block INTEGER NOT NULL CHECK (next_block >= 0),
      last_hash TEXT NOT NULL,
      PRIMARY KEY (chain_id, entry_point)
    ) STRICT;
  `,
};
