import type { Migration } from '../../migration.ts';

/** The keys of an entry, those of its objects included; null where the entry has no such thing. */
const keysOf = (row: string) => `
      SELECT unnest(ARRAY[
        'any',
        'account ' || ${row}.account_id,
        'operation ' || ${row}.operation,
        'who ' || ${row}.actor_kind,
        'who ' || ${row}.credential_id,
        'who ' || ${row}.wallet,
        ${row}.account_id || ' operation ' || ${row}.operation,
        ${row}.account_id || ' who ' || ${row}.actor_kind,
        'object ' || lower(${row}.paymaster_id)
      ]) AS key
      UNION SELECT 'object ' || lower(id) FROM regexp_split_to_table(btrim(${row}.objects), ' ') AS id WHERE id <> ''`;

/** What the migration of this number does to the file of SQLite. */
export const auditLogKeys: Migration = {
  version: 41,
  name: 'audit-log-keys',
  sql: `
    CREATE TABLE audit_log_keys (
      key text COLLATE "C" NOT NULL,
      changed_at bigint NOT NULL,
      entry_number bigint NOT NULL,
      PRIMARY KEY (key, changed_at, entry_number)
    );
    CREATE INDEX audit_log_keys_of_entry ON audit_log_keys (entry_number);
    INSERT INTO audit_log_keys (key, changed_at, entry_number)
      SELECT key, changed_at, entry_number FROM audit_log, LATERAL (${keysOf('audit_log')}) AS keys
      WHERE key IS NOT NULL;
    CREATE FUNCTION find_audit_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO audit_log_keys (key, changed_at, entry_number)
          SELECT key, NEW.changed_at, NEW.entry_number FROM (${keysOf('NEW')}) AS keys WHERE key IS NOT NULL;
        RETURN NULL;
      END
    $$;
    CREATE FUNCTION forget_audit_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM audit_log_keys WHERE entry_number = OLD.entry_number;
        RETURN NULL;
      END
    $$;
    CREATE TRIGGER audit_log_is_found AFTER INSERT ON audit_log
      FOR EACH ROW EXECUTE FUNCTION find_audit_log_entry();
    CREATE TRIGGER audit_log_is_forgotten AFTER DELETE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION forget_audit_log_entry();
    DROP INDEX audit_log_of_account;
  `,
};
