import type { Migration } from '../migration.ts';

/** Requests to a second paymaster while ours cannot sign. */
export const upstream: Migration = {
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
