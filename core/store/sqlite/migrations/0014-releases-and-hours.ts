import type { Migration } from '../../migration.ts';
import { weiSum } from './wei-sum.ts';

/** The version whose first start began to write down which keys sign for a contract. */
const keysAreKnownSince = 9;

/**
 * Which keys have signed under a hold, and what the operator released with which reason. Of holds that are older all keys of
 * their contract are taken for it, unless they are older than the list of those.
 *
 * And what limits count of a paymaster's holds of each hour, kept in step with them, so that a limit for all senders together
 * has its count at once; and an index with all that usage by contract and method needs of a decision's record.
 */
export const releasesAndHours: Migration = {
  version: 14,
  name: 'releases-and-hours',
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
    CREATE TABLE counted_hours (
      paymaster_id TEXT NOT NULL,
      hour INTEGER NOT NULL CHECK (hour % 3600 = 0),
      operations INTEGER NOT NULL CHECK (operations >= 0),
      wei TEXT NOT NULL CHECK (length(wei) = 40),
      PRIMARY KEY (paymaster_id, hour)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counted_hours
      SELECT paymaster_id, created_at - created_at % 3600, count(*), ${weiSum('counted')} FROM holds
      WHERE counted IS NOT NULL AND state <> 'released' GROUP BY 1, 2;
    DROP INDEX decisions_by_time;
    CREATE INDEX decisions_by_time ON decisions (
      paymaster_id, created_at, outcome, sender, token, hold_id, json_extract(record, '$.facts.calls')
    );
  `,
};
