import type { Migration } from '../migration.ts';
import { auditLogKeys } from './audit-log.ts';

/**
 * Budgets of accounts in USD, and the worth that they count: of each hold, and summed by paymaster and day. For earlier
 * holds the worth is what a limit in USD counted, or the cost when it was booked, so that a budget of the current month
 * includes it.
 */
const budgets: Migration = {
  version: 36,
  name: 'budgets',
  sql: ({ integer, text, byKey }) => `
    CREATE TABLE budgets (
      budget_id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      max_usd_micros ${integer} NOT NULL CHECK (max_usd_micros >= 0),
      span ${text} NOT NULL CHECK (span IN ('day', 'week', 'month', 'ever')),
      paymaster_ids ${text} CHECK (length(paymaster_ids) > 0),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      updated_at ${integer} NOT NULL CHECK (updated_at >= 0),
      UNIQUE (account_id, name)
    )${byKey};
    CREATE TABLE worth_sums (
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      paymaster_id ${text} NOT NULL,
      span ${text} NOT NULL CHECK (span IN ('day', 'ever')),
      span_start ${integer} NOT NULL CHECK (span_start >= 0),
      usd_micros ${integer} NOT NULL,
      PRIMARY KEY (account_id, paymaster_id, span, span_start)
    )${byKey};
    ALTER TABLE holds ADD COLUMN worth ${integer} CHECK (worth >= 0);
    ALTER TABLE holds ADD COLUMN worth_held ${integer} CHECK (worth_held >= 0);
    UPDATE holds SET worth = coalesce(usd_micros, charge_usd)
      WHERE counted IS NOT NULL AND state <> 'released' AND coalesce(usd_micros, charge_usd) IS NOT NULL;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, holds.paymaster_id, 'day', holds.created_at - holds.created_at % 86400, sum(worth)
      FROM holds JOIN paymasters ON paymasters.paymaster_id = holds.paymaster_id
      WHERE worth IS NOT NULL GROUP BY 1, 2, 4;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, paymaster_id, 'ever', 0, sum(usd_micros) FROM worth_sums GROUP BY 1, 2;
    INSERT INTO worth_sums (account_id, paymaster_id, span, span_start, usd_micros)
      SELECT account_id, '', span, span_start, sum(usd_micros) FROM worth_sums GROUP BY 1, 3, 4;
  `,
};

/**
 * An index for the few entries that move money without an operation. When queried by kind, SQLite chose the index with all
 * of them and read those of operations too.
 */
const otherMoney: Migration = {
  version: 37,
  name: 'other-money',
  sql: () => `
    CREATE INDEX other_money_entries ON entries (tank_id, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit');
  `,
};

/**
 * The EntryPoint's charges for the operations of a day, in addition to the tank's, and the worth of the difference in
 * millionths of a USD: the premium of a statement, which was computed per operation before. If an operation's cost is not
 * recorded, its premium is 0, as before. The index of all money movements is no longer needed.
 */
const premiums: Migration = {
  version: 38,
  name: 'premiums',
  sql: ({ integer, text, sumWei, bit, either }) => `
    ALTER TABLE settled_days ADD COLUMN cost ${text} NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(cost) = 40);
    ALTER TABLE settled_days ADD COLUMN premium_usd_micros ${integer} NOT NULL DEFAULT 0;
    WITH charged AS (
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400 AS day,
        coalesce(holds.paymaster_id, '') AS paymaster_id, ${bit('entries.reverses IS NOT NULL')} AS back, entries.amount AS wei,
        coalesce(cost.amount, entries.amount) AS cost, entries.usd_micros_per_coin AS price
      FROM entries JOIN tanks ON tanks.tank_id = entries.tank_id
        LEFT JOIN holds ON holds.hold_id = entries.hold_id
        LEFT JOIN entries AS origin ON origin.entry_id = entries.reverses
        LEFT JOIN movements AS cost ON cost.tx_hash = entries.tx_hash AND cost.log_index = entries.log_index
          AND cost.rewind = coalesce(origin.rewind, entries.rewind) AND cost.chain_id = tanks.chain_id
          AND cost.contract = tanks.contract AND cost.reverses IS NULL AND cost.kind = 'cost'
      WHERE entries.kind = 'settle'
    ), sums AS (
      SELECT tank_id, day, paymaster_id, back, ${sumWei('cost')} AS cost,
        ${either({
          sqlite:
            'sum(CAST(round((CAST(wei AS REAL) - CAST(cost AS REAL)) * coalesce(price, 0) / 1e18, 3) AS INTEGER))',
          postgres: 'sum(trunc((wei::numeric - cost::numeric) * coalesce(price, 0) / 1e18))::bigint',
        })} AS worth
      FROM charged GROUP BY 1, 2, 3, 4
    )
    UPDATE settled_days SET cost = sums.cost, premium_usd_micros = sums.worth FROM sums
      WHERE settled_days.tank_id = sums.tank_id AND settled_days.day = sums.day
        AND settled_days.paymaster_id = sums.paymaster_id AND settled_days.back = sums.back;
    DROP INDEX money_entries;
  `,
  // They would book settlements without the EntryPoint's charge.
  endsOlderWriters: true,
};

/**
 * The texts of a decision, packed (core/decisions/decision-record.ts). Existing decisions keep them in `record` until they
 * are pruned, since rewriting them would take minutes.
 */
const packedReasons: Migration = {
  version: 39,
  name: 'packed-reasons',
  sql: ({ blob }) => `ALTER TABLE decisions ADD COLUMN reasons ${blob};`,
};

/** Has a temporary row, to test whether the database accepts as much as the service writes at once. */
const writeProbe: Migration = {
  version: 40,
  name: 'write-probe',
  sql: ({ integer, blob, strict }) => `
    CREATE TABLE write_probe (
      probe ${integer} PRIMARY KEY CHECK (probe = 1),
      filler ${blob} NOT NULL
    )${strict};
  `,
};

/**
 * Search keys of audit log entries, newest first; without them each filter reads the whole log. Triggers write and delete
 * the keys, so that no writer or pruning can forget them.
 */
const auditLogIndex: Migration = {
  version: 41,
  name: 'audit-log-keys',
  sql: ({ integer, text, byKey, either }) => `
    CREATE TABLE audit_log_keys (
      key ${text} NOT NULL,
      changed_at ${integer} NOT NULL,
      entry_number ${integer} NOT NULL,
      PRIMARY KEY (key, changed_at, entry_number)
    )${byKey};
    CREATE INDEX audit_log_keys_of_entry ON audit_log_keys (entry_number);
    ${auditLogKeys(either)}
    DROP INDEX audit_log_of_account;
  `,
};

/**
 * How many decisions are kept: per paymaster, per account (without a paymaster), and in total up to a number. Housekeeping
 * counts them in the background, including those existing at the upgrade.
 */
const keptDecisions: Migration = {
  version: 42,
  name: 'kept-decisions',
  sql: ({ integer, text, strict, byKey }) => `
    CREATE TABLE kept_decisions (
      account_id ${text} NOT NULL,
      paymaster_id ${text} NOT NULL,
      decisions ${integer} NOT NULL,
      PRIMARY KEY (account_id, paymaster_id)
    )${byKey};
    CREATE INDEX kept_decisions_by_account ON kept_decisions (decisions, account_id) WHERE paymaster_id = '';
    CREATE TABLE counted_decisions (
      counted ${integer} PRIMARY KEY CHECK (counted = 1),
      until_number ${integer} NOT NULL,
      decisions ${integer} NOT NULL
    )${strict};
  `,
};

/** The fixed argument size of each whitelisted method in bytes, in the order of `selectors`. Empty if not known yet. */
const argumentBytes: Migration = {
  version: 43,
  name: 'argument-bytes',
  sql: ({ text }) => `ALTER TABLE contracts ADD COLUMN argument_bytes ${text} NOT NULL DEFAULT '';`,
};

/** The chain of a member that is a contract wallet. Null: a wallet with a private key, which is the same on every chain. */
const contractWallets: Migration = {
  version: 44,
  name: 'contract-wallets',
  sql: ({ integer }) => `ALTER TABLE account_members ADD COLUMN chain_id ${integer} CHECK (chain_id > 0);`,
};

/** Whether the call of a signed operation succeeded in the simulation before signing: 1 for yes, 0 if unknown. */
const simulatedCalls: Migration = {
  version: 45,
  name: 'simulated-calls',
  sql: ({ integer }) => `ALTER TABLE signatures ADD COLUMN simulated ${integer} NOT NULL DEFAULT 0;`,
};

/**
 * What users pay of the gas in tokens: in percent for a hold and a quote, in wei for a landed operation. Earlier operations
 * are not looked up and count as sponsored. Also which holds have signatures that last longer than usual.
 */
const shares: Migration = {
  version: 46,
  name: 'shares',
  sql: ({ integer, text }) => `
    ALTER TABLE holds ADD COLUMN user_percent ${integer} CHECK (user_percent BETWEEN 1 AND 99);
    ALTER TABLE holds ADD COLUMN users_paid ${text} CHECK (length(users_paid) = 40);
    ALTER TABLE holds ADD COLUMN lasts_long ${integer} NOT NULL DEFAULT 0 CHECK (lasts_long IN (0, 1));
    ALTER TABLE settled_days ADD COLUMN users_paid ${text} NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40);
    ALTER TABLE usage_sums ADD COLUMN users_paid ${text} NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40);
    ALTER TABLE quotes ADD COLUMN user_percent ${integer} NOT NULL DEFAULT 100 CHECK (user_percent BETWEEN 1 AND 100);
  `,
  // They would sign at a share's rate without counting the sponsored part in any limit.
  endsOlderWriters: true,
};

/** Usage is also counted by attribution code (ERC-8021). SQLite can only change a CHECK by recreating the table. */
const attributionUsage: Migration = {
  version: 47,
  name: 'attribution-usage',
  sql: ({ integer, text, byKey, either }) => `
    ${either({
      sqlite: `ALTER TABLE usage_sums RENAME TO usage_sums_before;
    CREATE TABLE usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'attribution')),
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
    ALTER TABLE usage_sums ADD CONSTRAINT usage_sums_dimension_check
      CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'attribution'));`,
    })}
  `,
};

export const stepsTo47: readonly Migration[] = [
  budgets,
  otherMoney,
  premiums,
  packedReasons,
  writeProbe,
  auditLogIndex,
  keptDecisions,
  argumentBytes,
  contractWallets,
  simulatedCalls,
  shares,
  attributionUsage,
];
