import type { Migration } from '../../migration.ts';

/**
 * Policies and what their limits have counted, the grants that a repeated request is answered with, the record of every
 * decision; and on a hold what became of it. `limit_usage` is a cache of sums over `holds` that are in step with them:
 * a missing row is counted again. Holds of one nonce are kept apart by paymaster, whose limits count them. Signatures
 * and grants are kept by hold, where a new row is next to the last one.
 */
export const decisions: Migration = {
  version: 3,
  name: 'decisions',
  sql: `
    ALTER TABLE holds ADD COLUMN counted TEXT CHECK (length(counted) = 40);
    ALTER TABLE holds ADD COLUMN usd_micros INTEGER CHECK (usd_micros >= 0);
    ALTER TABLE holds ADD COLUMN charge TEXT CHECK (length(charge) = 40);
    ALTER TABLE holds ADD COLUMN success INTEGER CHECK (success IN (0, 1));
    ALTER TABLE holds ADD COLUMN landed_tx TEXT;
    UPDATE holds SET charge = settlement.amount, landed_tx = settlement.tx_hash
      FROM (SELECT hold_id, amount, tx_hash FROM entries WHERE kind = 'settle') AS settlement
      WHERE settlement.hold_id = holds.hold_id;
    UPDATE holds SET counted = coalesce(charge, amount) WHERE state <> 'released';
    DROP INDEX one_live_hold_per_slot;
    DROP INDEX holds_by_slot;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id) WHERE state = 'live';
    CREATE INDEX holds_by_sender ON holds (paymaster_id, sender, created_at);
    CREATE TABLE policies (
      paymaster_id TEXT PRIMARY KEY REFERENCES paymasters (paymaster_id),
      policy TEXT NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE limit_usage (
      paymaster_id TEXT NOT NULL,
      subject TEXT NOT NULL,
      span TEXT NOT NULL CHECK (span IN ('hour', 'day', 'week', 'month', 'ever')),
      span_start INTEGER NOT NULL,
      operations INTEGER NOT NULL CHECK (operations >= 0),
      wei TEXT NOT NULL CHECK (length(wei) = 40),
      usd_micros INTEGER NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (paymaster_id, subject, span, span_start)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE grants (
      hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
      request_key TEXT NOT NULL,
      valid_until INTEGER NOT NULL,
      terms TEXT NOT NULL,
      PRIMARY KEY (hold_id, request_key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE signatures_by_hold (
      hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
      user_operation_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (hold_id, user_operation_hash)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO signatures_by_hold SELECT hold_id, user_operation_hash, created_at FROM signatures;
    DROP TABLE signatures;
    ALTER TABLE signatures_by_hold RENAME TO signatures;
    CREATE TABLE decisions (
      decision_number INTEGER PRIMARY KEY,
      decision_id TEXT NOT NULL UNIQUE,
      paymaster_id TEXT NOT NULL,
      chain_id INTEGER NOT NULL,
      method TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('signed', 'quoted', 'stub', 'refused')),
      mode TEXT CHECK (mode IN ('SPONSORED', 'ERC20')),
      reason TEXT,
      sender TEXT,
      nonce TEXT,
      token TEXT,
      hold_id INTEGER REFERENCES holds (hold_id),
      record TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX decisions_by_paymaster ON decisions (paymaster_id, decision_number);
  `,
};
