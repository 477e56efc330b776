import type { Migration, SqlWords } from '../migration.ts';

/**
 * The worth of an entry's wei when it was booked, in millionths of a USD, with the price used and its time; null if no price
 * was known, as for all earlier entries. The same for the cost of a hold's operation, and the sums of both for pruned days.
 */
const coinPrices: Migration = {
  version: 18,
  name: 'coin-prices',
  sql: ({ integer }) => `
    ALTER TABLE entries ADD COLUMN usd_micros ${integer} CHECK (usd_micros >= 0);
    ALTER TABLE entries ADD COLUMN usd_micros_per_coin ${integer}
      CHECK ((usd_micros_per_coin IS NULL) = (usd_micros IS NULL));
    ALTER TABLE entries ADD COLUMN priced_at ${integer} CHECK ((priced_at IS NULL) = (usd_micros IS NULL));
    CREATE INDEX money_entries ON entries (tank_id, kind, created_at)
      WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'settle');
    ALTER TABLE holds ADD COLUMN charge_usd ${integer} CHECK (charge_usd >= 0);
    ALTER TABLE usage_totals ADD COLUMN priced ${integer} NOT NULL DEFAULT 0 CHECK (priced >= 0);
    ALTER TABLE usage_totals ADD COLUMN charge_usd ${integer} NOT NULL DEFAULT 0 CHECK (charge_usd >= 0);
  `,
};

/**
 * What the process that keeps a chain's ledger reports to the others at its database: the state of each contract's ledger,
 * and its settings. `changes` counts the changes of a paymaster and its data, so that a process notices that it decided on
 * outdated data.
 */
const cores: Migration = {
  version: 19,
  name: 'cores',
  sql: ({ integer, text, strict, byKey }) => `
    CREATE TABLE book_standings (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('kept', 'reading', 'stopped')),
      fault ${text} CHECK ((fault IS NULL) = (state <> 'stopped')),
      told_at ${integer} NOT NULL,
      PRIMARY KEY (chain_id, contract)
    )${byKey};
    CREATE TABLE chain_settings (
      chain_id ${integer} PRIMARY KEY,
      settings ${text} NOT NULL
    )${strict};
    ALTER TABLE paymasters ADD COLUMN changes ${integer} NOT NULL DEFAULT 0 CHECK (changes >= 0);
  `,
};

/**
 * Valid quotes, by their subject. Only stored on PostgreSQL, where several processes may share them. Amounts are decimal
 * text: they have up to 256 bits.
 */
const quotes: Migration = {
  version: 20,
  name: 'quotes',
  sql: ({ integer, text, strict }) => `
    CREATE TABLE quotes (
      name ${text} PRIMARY KEY,
      maximum ${text} NOT NULL,
      exchange_rate ${text} NOT NULL,
      valid_until ${integer} NOT NULL
    )${strict};
    CREATE INDEX quotes_by_end ON quotes (valid_until);
  `,
};

/**
 * The level of gateways' limits, in thousandths, at a time in Unix milliseconds, by the digest of the limit and its subject.
 * Only stored on PostgreSQL, where gateways may have several processes.
 */
const sharedLimits: Migration = {
  version: 21,
  name: 'shared-limits',
  sql: ({ integer, text, strict }) => `
    CREATE TABLE shared_limits (
      name ${text} PRIMARY KEY,
      level ${integer} NOT NULL,
      level_at ${integer} NOT NULL
    )${strict};
    CREATE INDEX shared_limits_by_time ON shared_limits (level_at);
  `,
};

/**
 * What a tank paid for the operations of each paymaster on each UTC day, kept up to date with the entries, so that a
 * statement adds up days. `back` is 1 for what was reversed on that day. The paymaster is empty if no hold explains the
 * operation.
 */
const settledDays: Migration = {
  version: 22,
  name: 'settled-days',
  sql: ({ integer, text, byKey, sumWei, bit }) => `
    CREATE TABLE settled_days (
      tank_id ${integer} NOT NULL REFERENCES tanks (tank_id),
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      paymaster_id ${text} NOT NULL,
      back ${integer} NOT NULL CHECK (back IN (0, 1)),
      operations ${integer} NOT NULL CHECK (operations > 0),
      wei ${text} NOT NULL CHECK (length(wei) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND operations),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, day, paymaster_id, back)
    )${byKey};
    INSERT INTO settled_days
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400, coalesce(holds.paymaster_id, ''),
        ${bit('entries.reverses IS NOT NULL')}, count(*), ${sumWei('entries.amount')}, count(entries.usd_micros),
        coalesce(sum(entries.usd_micros), 0)
      FROM entries LEFT JOIN holds ON holds.hold_id = entries.hold_id WHERE entries.kind = 'settle' GROUP BY 1, 2, 3, 4;
  `,
};

/** Which of the master keys seals: several processes at a database switch one after the other. */
const sealingKey: Migration = {
  version: 23,
  name: 'sealing-key',
  sql: ({ integer }) => `
    ALTER TABLE master_keys ADD COLUMN seals ${integer} NOT NULL DEFAULT 1 CHECK (seals IN (0, 1));
  `,
};

/** The calls in the record of a decision, as JSON text. PostgreSQL rejects JSON with lone surrogates or NUL. */
const callsOf = (either: SqlWords['either']) =>
  either({
    sqlite: "json_extract(decision.record, '$.facts.calls')",
    postgres:
      "(regexp_replace(decision.record, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g')::json #> '{facts,calls}')::text",
  });

/** Those calls as a table: `key` counts from 0, `value` is JSON. */
const eachCall = (either: SqlWords['either']) =>
  either({
    sqlite: 'json_each(kept.calls)',
    postgres: `LATERAL (
        SELECT position - 1 AS key, value FROM json_array_elements(CASE json_typeof(kept.calls::json) WHEN 'array' THEN kept.calls::json END)
          WITH ORDINALITY AS element (value, position))`,
  });

/**
 * Totals of each paymaster's decisions, by day, and for dimensions with many keys also by seven days, kept up to date: usage
 * adds up these rows instead of decisions. They include the totals of pruned decisions from their former table. Indexes
 * serve each filter of the list of decisions, and a paymaster's live holds.
 */
const usageSums: Migration = {
  version: 24,
  name: 'usage-sums',
  sql: ({ integer, text, byKey, sumWei, bit, either }) => `
    CREATE TABLE usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token')),
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
      PRIMARY KEY (paymaster_id, dimension, span_days, day, key)
    )${byKey};
    WITH kept AS MATERIALIZED (
      SELECT decision.paymaster_id, decision.created_at - decision.created_at % 86400 AS day, decision.outcome,
        decision.sender, decision.token, ${callsOf(either)} AS calls,
        hold.hold_id IS NOT NULL AS landed, hold.charge, hold.charge_usd
      FROM decisions AS decision
      LEFT JOIN holds AS hold ON hold.hold_id = decision.hold_id AND hold.state = 'settled' AND decision.outcome = 'signed'
        AND NOT EXISTS (
          SELECT 1 FROM decisions AS later WHERE later.hold_id = decision.hold_id
            AND later.decision_number > decision.decision_number AND later.outcome = 'signed'
        )
    ), keyed AS (
      SELECT kept.*, 'day' AS dimension, '' AS key FROM kept
      UNION ALL SELECT kept.*, 'sender', coalesce(sender, 'none') FROM kept
      UNION ALL SELECT kept.*, 'token', coalesce(token, 'none') FROM kept
      UNION ALL SELECT kept.*, 'contract', coalesce(call.value ->> 'target', 'none') FROM kept LEFT JOIN ${eachCall(either)} AS call ON true
        WHERE coalesce(call.key, 0) = 0 OR NOT EXISTS (
          SELECT 1 FROM ${eachCall(either)} AS earlier WHERE earlier.key < call.key AND earlier.value ->> 'target' = call.value ->> 'target'
        )
      UNION ALL SELECT kept.*, 'method', coalesce((call.value ->> 'target') || ':' || coalesce(call.value ->> 'selector', '0x'), 'none') FROM kept LEFT JOIN ${eachCall(either)} AS call ON true
        WHERE coalesce(call.key, 0) = 0 OR NOT EXISTS (
          SELECT 1 FROM ${eachCall(either)} AS earlier WHERE earlier.key < call.key AND earlier.value ->> 'target' = call.value ->> 'target'
            AND coalesce(earlier.value ->> 'selector', '0x') = coalesce(call.value ->> 'selector', '0x')
        )
    ), counted AS (
      SELECT paymaster_id, dimension, day, key, ${bit("outcome = 'signed'")} AS signed, ${bit("outcome = 'quoted'")} AS quoted, ${bit("outcome = 'stub'")} AS stub, ${bit("outcome = 'refused'")} AS refused,
        ${bit('landed')} AS landed, coalesce(charge, '0000000000000000000000000000000000000000') AS charge,
        ${bit('charge_usd IS NOT NULL')} AS priced, coalesce(charge_usd, 0) AS usd_micros
      FROM keyed
      UNION ALL SELECT paymaster_id, dimension, ${either({ sqlite: 'CAST(unixepoch(day) AS INTEGER)', postgres: "extract(epoch FROM (day || 'T00:00:00Z')::timestamptz)::bigint" })}, CASE dimension WHEN 'day' THEN '' ELSE key END,
        signed, quoted, stub, refused, landed, charge, priced, charge_usd FROM usage_totals WHERE dimension <> 'outcome'
    )
    INSERT INTO usage_sums
      SELECT paymaster_id, dimension, 1, day, key, sum(signed), sum(quoted), sum(stub), sum(refused), sum(landed),
        ${sumWei('charge')}, sum(priced), sum(usd_micros)
      FROM counted GROUP BY paymaster_id, dimension, day, key;
    INSERT INTO usage_sums
      SELECT paymaster_id, dimension, 7, day - day % (86400 * 7), key, sum(signed), sum(quoted), sum(stub), sum(refused),
        sum(landed), ${sumWei('charge')}, sum(priced), sum(usd_micros)
      FROM usage_sums WHERE dimension IN ('sender', 'contract', 'method') GROUP BY 1, 2, 4, 5;
    DROP TABLE usage_totals;
    DROP INDEX decisions_by_time;
    DROP INDEX decisions_by_paymaster;
    CREATE INDEX decisions_by_paymaster
      ON decisions (paymaster_id, decision_number, outcome, reason, sender, mode, created_at);
    DROP INDEX live_holds;
    CREATE INDEX live_holds ON holds (paymaster_id) WHERE state = 'live';
  `,
};

/** All uses that gateways reported for a limit; they show each gateway whether others contributed. */
const limitUses: Migration = {
  version: 25,
  name: 'limit-uses',
  sql: ({ integer }) => `
    ALTER TABLE shared_limits ADD COLUMN used ${integer} NOT NULL DEFAULT 0;
  `,
};

export const stepsTo25: readonly Migration[] = [
  coinPrices,
  cores,
  quotes,
  sharedLimits,
  settledDays,
  sealingKey,
  usageSums,
  limitUses,
];
