import type { Migration } from '../../../migration.ts';

/** Each key of an entry, as JSON of a list: null where the entry has no such thing. Reads the columns of `row`. */
const keysOf = (row: string) => `json_array(
        'any',
        'account ' || ${row}.account_id,
        'operation ' || ${row}.operation,
        'who ' || ${row}.actor_kind,
        'who ' || ${row}.credential_id,
        'who ' || ${row}.wallet,
        ${row}.account_id || ' operation ' || ${row}.operation,
        ${row}.account_id || ' who ' || ${row}.actor_kind,
        'object ' || lower(${row}.paymaster_id)
      )`;
/** The ids in `objects`, which stand between blanks. */
const idsOf = (row: string) => `'[' || replace(json_quote(trim(${row}.objects)), ' ', '","') || ']'`;

/**
 * What entries of the audit log are found by, the newest first; without it, each filter reads the log from end to end. Triggers
 * write and delete the keys, so that nothing that writes or prunes the log can forget them.
 */
export const auditLogKeys: Migration = {
  version: 41,
  name: 'audit-log-keys',
  sql: `
    CREATE TABLE audit_log_keys (
      key TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      entry_number INTEGER NOT NULL,
      PRIMARY KEY (key, changed_at, entry_number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX audit_log_keys_of_entry ON audit_log_keys (entry_number);
    INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
      SELECT value, changed_at, entry_number FROM audit_log, json_each(${keysOf('audit_log')}) WHERE value IS NOT NULL;
    INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
      SELECT 'object ' || lower(value), changed_at, entry_number
      FROM audit_log, json_each(${idsOf('audit_log')}) WHERE value != '';
    CREATE TRIGGER audit_log_is_found AFTER INSERT ON audit_log BEGIN
      INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
        SELECT value, NEW.changed_at, NEW.entry_number FROM json_each(${keysOf('NEW')}) WHERE value IS NOT NULL;
      INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
        SELECT 'object ' || lower(value), NEW.changed_at, NEW.entry_number
        FROM json_each(${idsOf('NEW')}) WHERE value != '';
    END;
    CREATE TRIGGER audit_log_is_forgotten AFTER DELETE ON audit_log
      BEGIN DELETE FROM audit_log_keys WHERE entry_number = OLD.entry_number; END;
    DROP INDEX audit_log_of_account;
  `,
};
