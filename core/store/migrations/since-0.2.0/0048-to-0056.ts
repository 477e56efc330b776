import type { Migration, SqlWords } from '../migration.ts';

/**
 * Additional facts about the life of an operation. For a signature: its decision, whether its hash is a name by content,
 * when a bundler accepted it, and which events have been reported (1: landed, 2: dropped). For an ended hold: which
 * operation used the nonce and in which block, when that was recorded, and why nothing can land any more. The index excludes
 * names, since they are written with the hold, which an answer waits for.
 */
const operationLives: Migration = {
  version: 48,
  name: 'operation-lives',
  sql: ({ integer, text }) => `
    ALTER TABLE signatures ADD COLUMN decision_id ${text};
    ALTER TABLE signatures ADD COLUMN is_name ${integer} NOT NULL DEFAULT 0 CHECK (is_name IN (0, 1));
    ALTER TABLE signatures ADD COLUMN sent_at ${integer};
    ALTER TABLE signatures ADD COLUMN reported ${integer} NOT NULL DEFAULT 0 CHECK (reported BETWEEN 0 AND 3);
    CREATE INDEX signatures_by_hash ON signatures (user_operation_hash) WHERE is_name = 0;
    ALTER TABLE holds ADD COLUMN landed_hash ${text};
    ALTER TABLE holds ADD COLUMN landed_block ${integer};
    ALTER TABLE holds ADD COLUMN ended_at ${integer};
    ALTER TABLE holds ADD COLUMN released_because ${text}
      CHECK (released_because IN ('expired', 'replaced', 'operator'));
    CREATE INDEX holds_by_transaction ON holds (landed_tx) WHERE landed_tx IS NOT NULL;
  `,
};

/** Append-only tables, and which of their rows can be archived: those of operations, not deposits and withdrawals. */
const journals = [
  { table: 'entries', rows: 'entries', stays: "OLD.kind NOT IN ('hold', 'release', 'settle') OR " },
  { table: 'movements', rows: 'movements', stays: "OLD.kind <> 'cost' OR " },
  { table: 'token_payments', rows: 'token payments', stays: '' },
] as const;

/** Only the archiving transaction may delete rows. */
const deletedByArchiving = (either: SqlWords['either'], { table, rows, stays }: (typeof journals)[number]) => {
  const refused = `${stays}NOT EXISTS (SELECT 1 FROM ledger_archive WHERE is_open = 1)`;
  return either({
    sqlite: `
    DROP TRIGGER ${table}_are_not_deleted;
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table} WHEN ${refused}
      BEGIN SELECT RAISE(ABORT, '${rows} are never deleted'); END;`,
    postgres: `
    DROP TRIGGER ${table}_are_not_deleted ON ${table};
    CREATE FUNCTION keep_unless_archiving_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${refused} THEN
          RAISE EXCEPTION '${rows} are never deleted';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION keep_unless_archiving_${table}();`,
  });
};

/**
 * Archived parts of the ledger, as monthly sums, so that the ledger still adds up; the progress of archiving; and an index
 * of the entries of a hold. The index that prevents booking an event twice also finds a transaction's entries.
 */
const ledgerArchive: Migration = {
  version: 49,
  name: 'ledger-archive',
  sql: ({ integer, text, strict, byKey, either }) => `
    CREATE TABLE ledger_archive (
      archive ${integer} PRIMARY KEY CHECK (archive = 1),
      is_open ${integer} NOT NULL CHECK (is_open IN (0, 1)),
      entries_until ${integer} NOT NULL CHECK (entries_until >= 0),
      movements_until ${integer} NOT NULL CHECK (movements_until >= 0),
      entries_since ${integer} NOT NULL CHECK (entries_since >= 0)
    )${strict};
    CREATE TABLE archived_entries (
      tank_id ${integer} NOT NULL REFERENCES tanks (tank_id),
      month ${integer} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('hold', 'release', 'settle')),
      entries ${integer} NOT NULL CHECK (entries > 0),
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND entries),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, month, kind)
    )${byKey};
    CREATE TABLE archived_movements (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      month ${integer} NOT NULL,
      tank_id ${integer} NOT NULL,
      movements ${integer} NOT NULL CHECK (movements > 0),
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      PRIMARY KEY (chain_id, contract, month, tank_id)
    )${byKey};
    CREATE TABLE archived_usage (
      policy_key ${text} NOT NULL,
      subject ${text} NOT NULL,
      operations ${integer} NOT NULL CHECK (operations >= 0),
      wei ${text} NOT NULL CHECK (length(wei) = 40),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      unpriced_wei ${text} NOT NULL CHECK (length(unpriced_wei) = 40),
      PRIMARY KEY (policy_key, subject)
    )${byKey};
    ALTER TABLE contract_watches ADD COLUMN archived_block ${integer};
    CREATE INDEX entries_by_hold ON entries (hold_id) WHERE hold_id IS NOT NULL;
    DROP INDEX entries_by_transaction;
    DROP INDEX one_entry_per_log;
    CREATE UNIQUE INDEX one_entry_per_log ON entries (tx_hash, log_index, tank_id, kind, coalesce(hold_id, 0), rewind)
      WHERE tx_hash IS NOT NULL AND reverses IS NULL;
    ${journals.map((journal) => deletedByArchiving(either, journal)).join('')}
  `,
  // They would roll the ledger back to blocks with archived rows, and count limits without archived holds.
  endsOlderWriters: true,
};

/**
 * Operations accepted for relaying, in the form for the bundler, written with their hold. `waiting`: no bundler has
 * confirmed it. `taken`: one has. `ended`: the hold has ended. `next_at`: when it is sent to the bundler again, or when the
 * row is deleted.
 */
const relayedOperations: Migration = {
  version: 50,
  name: 'relayed-operations',
  sql: ({ integer, text, byKey, isJson }) => `
    CREATE TABLE relayed_operations (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      user_operation_hash ${text} NOT NULL CHECK (length(user_operation_hash) = 66),
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      operation ${text} NOT NULL CHECK (${isJson('operation')}),
      state ${text} NOT NULL CHECK (state IN ('waiting', 'taken', 'ended')),
      next_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (chain_id, contract, user_operation_hash, hold_id)
    )${byKey};
    CREATE INDEX relayed_operations_due ON relayed_operations (chain_id, contract, state, next_at);
    CREATE INDEX relayed_operations_by_hold ON relayed_operations (hold_id);
  `,
};

/** Requests to a second paymaster while ours cannot sign. */
const upstream: Migration = {
  version: 51,
  name: 'upstream',
  sql: ({ integer, text, strict, byKey }) => `
    ALTER TABLE holds ADD COLUMN upstream ${integer} NOT NULL DEFAULT 0 CHECK (upstream IN (0, 1));
    CREATE TABLE upstream_holds (
      hold_id ${integer} PRIMARY KEY REFERENCES holds (hold_id),
      chain_id ${integer} NOT NULL,
      paymaster_id ${text} NOT NULL,
      reserved ${integer} NOT NULL CHECK (reserved >= 0),
      answered ${integer} NOT NULL CHECK (answered BETWEEN 0 AND reserved),
      asked_until ${integer} NOT NULL,
      request_key ${text},
      answer ${text},
      valid_until ${integer} NOT NULL
    )${strict};
    CREATE INDEX upstream_holds_by_end ON upstream_holds (valid_until);
    CREATE TABLE upstream_sums (
      chain_id ${integer} NOT NULL,
      whose ${text} NOT NULL,
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      operations ${integer} NOT NULL CHECK (operations >= 0),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (chain_id, whose, day)
    )${byKey};
    CREATE INDEX upstream_sums_by_whose ON upstream_sums (whose, day);
  `,
  // They would return to limits what a second paymaster's operation may have used.
  endsOlderWriters: true,
};

/**
 * Transfers of the operator's hot wallet to executors and deposits, recorded before they are signed. `raw` is the newest
 * signed transaction, null until it is signed; `tx_hashes` has the hashes of all signed ones. `open`: it may still land.
 * `landed`: it is confirmed. `failed`: it reverted on chain. `replaced`: another transaction used its nonce. Every row
 * counts for the daily cap.
 */
const treasury: Migration = {
  version: 52,
  name: 'treasury',
  sql: ({ integer, text, numbered, strict, isJson }) => `
    CREATE TABLE treasury_transfers (
      transfer_id ${numbered},
      chain_id ${integer} NOT NULL,
      wallet ${text} NOT NULL,
      target ${text} NOT NULL,
      entry_point ${text},
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      nonce ${integer} NOT NULL CHECK (nonce >= 0),
      gas ${integer} NOT NULL CHECK (gas > 0),
      max_fee ${text} NOT NULL CHECK (length(max_fee) = 40),
      max_tip ${text} NOT NULL CHECK (length(max_tip) = 40),
      raw ${text},
      tx_hashes ${text} NOT NULL CHECK (${isJson('tx_hashes')}),
      state ${text} NOT NULL CHECK (state IN ('open', 'landed', 'failed', 'replaced')),
      landed_tx ${text},
      created_at ${integer} NOT NULL,
      signed_at ${integer},
      ended_at ${integer}
    )${strict};
    CREATE UNIQUE INDEX treasury_transfers_by_nonce ON treasury_transfers (chain_id, wallet, nonce) WHERE state <> 'replaced';
    CREATE INDEX treasury_transfers_by_wallet ON treasury_transfers (chain_id, wallet);
    CREATE INDEX treasury_transfers_by_time ON treasury_transfers (chain_id, created_at);
  `,
};

/**
 * How often an operation was or may have been sent to a bundler. If only its own request did and could not reach the
 * bundler, the bundler does not have it. Unknown for earlier rows.
 */
const relayedAsked: Migration = {
  version: 53,
  name: 'relayed-asked',
  sql: ({ integer }) => `
    ALTER TABLE relayed_operations ADD COLUMN asked ${integer} NOT NULL DEFAULT 2;
  `,
};

const dimensions = `('day', 'hour', 'sender', 'contract', 'method', 'token', 'attribution', 'via')`;

/**
 * Usage is also counted by hour, and by whether operations are relayed. A decision keeps the request that it answered.
 * SQLite can only change a CHECK by recreating the table. Earlier usage went through paymaster contracts.
 */
const usageAndRequests: Migration = {
  version: 54,
  name: 'usage-and-requests',
  sql: ({ integer, text, blob, byKey, either }) => `
    ${either({
      sqlite: `ALTER TABLE usage_sums RENAME TO usage_sums_before;
    CREATE TABLE usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN ${dimensions}),
      span_days ${integer} NOT NULL CHECK (span_days IN (1, 7)),
      day ${integer} NOT NULL CHECK (day % (86400 * span_days) = 0),
      key ${text} NOT NULL,
      signed ${integer} NOT NULL CHECK (signed >= 0),
      quoted ${integer} NOT NULL CHECK (quoted >= 0),
      stub ${integer} NOT NULL CHECK (stub >= 0),
      refused ${integer} NOT NULL CHECK (refused >= 0),
      landed ${integer} NOT NULL CHECK (landed >= 0),
      charge ${text} NOT NULL CHECK (length(charge) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      users_paid ${text} NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40),
      PRIMARY KEY (paymaster_id, dimension, span_days, day, key)
    )${byKey};
    INSERT INTO usage_sums SELECT * FROM usage_sums_before;
    DROP TABLE usage_sums_before;`,
      postgres: `ALTER TABLE usage_sums DROP CONSTRAINT usage_sums_dimension_check;
    ALTER TABLE usage_sums ADD CONSTRAINT usage_sums_dimension_check CHECK (dimension IN ${dimensions});`,
    })}
    CREATE INDEX usage_sums_of_hours ON usage_sums (day) WHERE dimension = 'hour';
    INSERT INTO usage_sums
      (paymaster_id, dimension, span_days, day, key, signed, quoted, stub, refused, landed, charge, priced, usd_micros, users_paid)
    SELECT paymaster_id, 'via', span_days, day, 'paymaster', signed, quoted, stub, refused, landed, charge, priced, usd_micros, users_paid
    FROM usage_sums WHERE dimension = 'day';
    ALTER TABLE decisions ADD COLUMN request ${blob};
  `,
};

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

/**
 * The index on slots has a condition of its own. With that of other indexes a PostgreSQL server reads one of those from end to
 * end, if it has not counted the rows since they were few. What a sender has open for a client is next to what the client
 * has open.
 */
const fewerPages: Migration = {
  version: 56,
  name: 'fewer pages',
  sql: () => `
    DROP INDEX one_live_hold_per_slot;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id, policy_id)
      WHERE state <> 'settled' AND state <> 'released';
    UPDATE open_holds SET whose = substr(whose, 44) || ':' || substr(whose, 1, 42) WHERE whose LIKE '0x%:%';
  `,
  // They would count what a sender has open under the former name.
  endsOlderWriters: true,
};

export const stepsTo56: readonly Migration[] = [
  operationLives,
  ledgerArchive,
  relayedOperations,
  upstream,
  treasury,
  relayedAsked,
  usageAndRequests,
  authorizations,
  fewerPages,
];
