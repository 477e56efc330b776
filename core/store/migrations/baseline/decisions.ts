import { usageSumDimensions } from '../../../domain/usage.ts';
import { isWei } from '../../wei-columns.ts';
import type { SqlWords } from '../migration.ts';

/** Decisions, and usage. */
export const decisionsTables = ({ integer, text, blob, rowNumber, strict, byKey }: SqlWords) => `
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
      key_number ${integer} NOT NULL DEFAULT 0 CHECK (key_number >= 0),
      reasons ${blob} NOT NULL
    )${strict};
    CREATE INDEX decisions_by_hold ON decisions (hold_id, decision_number) WHERE hold_id IS NOT NULL;
    CREATE INDEX decisions_by_paymaster
      ON decisions (paymaster_id, decision_number, outcome, reason, sender, mode, created_at);
    CREATE INDEX stub_decisions ON decisions (decision_number) WHERE outcome = 'stub';
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
      until_entry ${integer} NOT NULL,
      decisions ${integer} NOT NULL
    )${strict};
    CREATE TABLE usage_sums (
      paymaster_id ${text} NOT NULL,
      dimension ${text} NOT NULL CHECK (dimension IN (${usageSumDimensions.map((dimension) => `'${dimension}'`).join(', ')})),
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      key ${text} NOT NULL,
      signed ${integer} NOT NULL CHECK (signed >= 0),
      quoted ${integer} NOT NULL CHECK (quoted >= 0),
      stub ${integer} NOT NULL CHECK (stub >= 0),
      refused ${integer} NOT NULL CHECK (refused >= 0),
      landed ${integer} NOT NULL CHECK (landed >= 0),
      charge ${text} NOT NULL CHECK (${isWei('charge')}),
      users_paid ${text} NOT NULL CHECK (${isWei('users_paid')}),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      chosen_keys ${integer} NOT NULL,
      PRIMARY KEY (paymaster_id, dimension, day, key)
    )${byKey};
    CREATE INDEX usage_sums_by_day ON usage_sums (dimension, day);
`;
