import type { Migration } from '../../../migration.ts';

/**
 * Keys that sign tickets: a secret sealed (`HS256`), a public key as JSON, or the URL of a list of keys. Holds remember whose
 * ticket they were made with and which, as digests, for limits that count by them.
 */
export const tickets: Migration = {
  version: 27,
  name: 'tickets',
  sql: `
    CREATE TABLE ticket_keys (
      ticket_key_number INTEGER PRIMARY KEY AUTOINCREMENT,
      ticket_key_id TEXT NOT NULL UNIQUE CHECK (length(ticket_key_id) = 36),
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      name TEXT NOT NULL CHECK (length(name) > 0),
      kind TEXT NOT NULL CHECK (kind IN ('HS256', 'ES256', 'EDDSA', 'JWK', 'JWKS')),
      secret_sealed BLOB CHECK ((secret_sealed IS NOT NULL) = (kind = 'HS256')),
      public_jwk TEXT CHECK ((public_jwk IS NOT NULL) = (kind IN ('ES256', 'EDDSA', 'JWK'))),
      jwks_url TEXT CHECK ((jwks_url IS NOT NULL) = (kind = 'JWKS')),
      issuer TEXT CHECK (issuer IS NOT NULL OR kind <> 'JWKS'),
      audience TEXT NOT NULL CHECK (length(audience) > 0),
      created_at INTEGER NOT NULL CHECK (created_at >= 0),
      UNIQUE (paymaster_id, name)
    ) STRICT;
    ALTER TABLE holds ADD COLUMN subject TEXT CHECK (subject IS NULL OR length(subject) > 8);
    ALTER TABLE holds ADD COLUMN ticket TEXT CHECK (ticket IS NULL OR subject IS NOT NULL);
    CREATE INDEX holds_by_subject ON holds (paymaster_id, subject, created_at) WHERE subject IS NOT NULL;
    CREATE INDEX holds_by_ticket ON holds (paymaster_id, ticket, created_at) WHERE ticket IS NOT NULL;
  `,
};
