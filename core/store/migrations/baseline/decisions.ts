import type { SqlWords } from '../migration.ts';

/** Decisions, counts of limits, and usage. */
export const decisionsTables = ({ integer, text, blob, rowNumber, strict, byKey }: SqlWords) => `
    CREATE TABLE limit_usage (
      policy_key ${text} NOT NULL,
      subject ${text} NOT NULL,
      span ${text} NOT NULL CHECK (span IN ('hour', 'day', 'week', 'month', 'ever')),
      span_start ${integer} NOT NULL,
      operations ${integer} NOT NULL CHECK (operations >= 0),
      wei ${text} NOT NULL CHECK (length(wei) = 40),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      counts_usd ${integer} NOT NULL DEFAULT 1 CHECK (counts_usd IN (0, 1)),
      counted_until ${integer},
      counted_hold ${integer} CHECK ((counted_hold IS NULL) = (counted_until IS NULL)),
      ends_at ${integer} CHECK (ends_at IS NULL OR ends_at >= 0),
      PRIMARY KEY (policy_key, subject, span, span_start)
    )${byKey};
    CREATE INDEX limit_usage_by_window ON limit_usage (span, span_start);
    CREATE INDEX limit_usage_being_counted ON limit_usage (policy_key) WHERE counted_until IS NOT NULL;
    CREATE INDEX ticket_usage_by_end ON limit_usage (ends_at) WHERE substr(subject, 1, 7) = 'ticket:';
    CREATE TABLE counted_hours (
      policy_key ${text} NOT NULL,
      hour ${integer} NOT NULL CHECK (hour % 3600 = 0),
      operations ${integer} NOT NULL CHECK (operations >= 0),
      wei ${text} NOT NULL CHECK (length(wei) = 40),
      PRIMARY KEY (policy_key, hour)
    )${byKey};
    CREATE TABLE decisions (
      decision_number ${rowNumber},
      decision_id ${text} NOT NULL UNIQUE,
      paymaster_id ${text} NOT NULL,
      chain_id ${integer} NOT NULL,
      method ${text} NOT NULL,
      outcome ${text} NOT NULL CHECK (outcome IN ('signed', 'quoted', 'stub', 'refused')),
      mode ${text} CHECK (mode IN ('SPONSORED', 'ERC20')),
      reason ${text},
      sender ${text},
      nonce ${text},
      token ${text},
      hold_id ${integer} REFERENCES holds (hold_id),
      record ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      policy_id ${text} NOT NULL DEFAULT '',
      reasons ${blob} NOT NULL
    )${strict};
    CREATE INDEX decisions_by_hold ON decisions (hold_id, decision_number) WHERE hold_id IS NOT NULL;
    CREATE INDEX decisions_by_paymaster
      ON decisions (paymaster_id, decision_number, outcome, reason, sender, mode, created_at);
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
    CREATE TABLE usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN ('day', 'hour', 'sender', 'contract', 'method', 'token', 'attribution', 'via')),
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      key ${text} NOT NULL,
      signed ${integer} NOT NULL CHECK (signed >= 0),
      quoted ${integer} NOT NULL CHECK (quoted >= 0),
      stub ${integer} NOT NULL CHECK (stub >= 0),
      refused ${integer} NOT NULL CHECK (refused >= 0),
      landed ${integer} NOT NULL CHECK (landed >= 0),
      charge ${text} NOT NULL CHECK (length(charge) = 40),
      users_paid ${text} NOT NULL CHECK (length(users_paid) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      chosen_keys ${integer} NOT NULL,
      PRIMARY KEY (paymaster_id, dimension, day, key)
    )${byKey};
    CREATE INDEX usage_sums_by_day ON usage_sums (dimension, day);
`;
