import type { Migration } from '../migration.ts';

const dimensions = `('day', 'hour', 'sender', 'contract', 'method', 'token', 'attribution', 'via')`;

/**
 * Usage is also counted by hour, and by whether operations are relayed. A decision keeps the request that it answered.
 * SQLite can only change a CHECK by recreating the table. Earlier usage went through paymaster contracts.
 */
export const usageAndRequests: Migration = {
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
