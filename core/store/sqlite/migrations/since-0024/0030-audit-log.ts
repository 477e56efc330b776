import type { Migration } from '../../../migration.ts';

/**
 * Who changed what, and from where. Rows are never changed, and go only where the row of `audit_log_pruning` says so, which
 * is there in the transaction that prunes and in no other.
 */
export const auditLog: Migration = {
  version: 30,
  name: 'audit-log',
  sql: `
    CREATE TABLE audit_log (
      entry_number INTEGER PRIMARY KEY,
      changed_at INTEGER NOT NULL CHECK (changed_at >= 0),
      account_id TEXT,
      paymaster_id TEXT,
      operation TEXT NOT NULL CHECK (length(operation) > 0),
      actor_kind TEXT NOT NULL CHECK (length(actor_kind) > 0),
      credential_id TEXT,
      wallet TEXT,
      address TEXT,
      client TEXT,
      objects TEXT NOT NULL,
      state_before TEXT NOT NULL,
      state_after TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_log_of_account ON audit_log (account_id, entry_number);
    CREATE INDEX audit_log_by_time ON audit_log (changed_at);
    CREATE TABLE audit_log_pruning (
      pruning INTEGER PRIMARY KEY CHECK (pruning = 1),
      ends_before INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
      BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
    CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
      WHEN OLD.changed_at >= coalesce((SELECT ends_before FROM audit_log_pruning), 0)
      BEGIN SELECT RAISE(ABORT, 'the audit log is only pruned'); END;
  `,
};
