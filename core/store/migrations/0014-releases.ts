import type { Migration } from './migration.ts';

/** The version whose first start began to write down which keys sign for a contract. */
const keysAreKnownSince = 9;

/**
 * Which keys have signed under a hold, and what the operator released with which reason. Of holds that are older all keys of
 * their contract are taken for it, unless they are older than the list of those.
 */
export const releases: Migration = {
  version: 14,
  name: 'releases',
  sql: `
    ALTER TABLE holds ADD COLUMN signers TEXT CHECK (length(signers) >= 42);
    UPDATE holds SET signers = (
      SELECT group_concat(signer, ',') FROM contract_signers JOIN tanks USING (chain_id, contract)
      WHERE tanks.tank_id = holds.tank_id
    )
    WHERE state = 'live'
      AND created_at > (SELECT applied_at FROM schema_migrations WHERE version = ${keysAreKnownSince});
    CREATE TABLE operator_releases (
      entry_id INTEGER PRIMARY KEY REFERENCES entries (entry_id),
      reason TEXT NOT NULL CHECK (length(reason) > 0),
      ground TEXT NOT NULL CHECK (length(ground) > 0)
    ) STRICT;
    CREATE TRIGGER operator_releases_are_not_changed BEFORE UPDATE ON operator_releases
      BEGIN SELECT RAISE(ABORT, 'releases by the operator are never changed'); END;
    CREATE TRIGGER operator_releases_are_not_deleted BEFORE DELETE ON operator_releases
      BEGIN SELECT RAISE(ABORT, 'releases by the operator are never deleted'); END;
  `,
};
