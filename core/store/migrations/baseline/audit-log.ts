import type { SqlWords } from '../migration.ts';

/** Rows of the audit log are never changed, and only the pruning transaction deletes them. */
export const auditLogGuards = (either: SqlWords['either']) =>
  either({
    sqlite: `CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
      BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
    CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
      WHEN OLD.changed_at >= coalesce((SELECT ends_before FROM audit_log_pruning), 0)
      BEGIN SELECT RAISE(ABORT, 'the audit log is only pruned'); END;`,
    postgres: `CREATE FUNCTION refuse_unless_pruned() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.changed_at >= coalesce((SELECT ends_before FROM audit_log_pruning), 0) THEN
          RAISE EXCEPTION 'the audit log is only pruned';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION refuse_change('the audit log is never changed');
    CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION refuse_unless_pruned();
    CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is only pruned');`,
  });

/** Each key of an entry, as a JSON list: null where the entry has no such value. Reads the columns of `row`. */
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
/** In PostgreSQL: including its objects; null where the entry has no such value. */
const postgresKeysOf = (row: string) => `
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
/** The ids in `objects`, which are separated by spaces. */
const idsOf = (row: string) => `'[' || replace(json_quote(trim(${row}.objects)), ' ', '","') || ']'`;

/** Triggers that write the keys of each entry, and delete them with it. */
export const auditLogKeys = (either: SqlWords['either']) =>
  either({
    sqlite: `
    CREATE TRIGGER audit_log_is_found AFTER INSERT ON audit_log BEGIN
      INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
        SELECT value, NEW.changed_at, NEW.entry_number FROM json_each(${keysOf('NEW')}) WHERE value IS NOT NULL;
      INSERT OR IGNORE INTO audit_log_keys (key, changed_at, entry_number)
        SELECT 'object ' || lower(value), NEW.changed_at, NEW.entry_number
        FROM json_each(${idsOf('NEW')}) WHERE value != '';
    END;
    CREATE TRIGGER audit_log_is_forgotten AFTER DELETE ON audit_log
      BEGIN DELETE FROM audit_log_keys WHERE entry_number = OLD.entry_number; END;`,
    postgres: `
    CREATE FUNCTION find_audit_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO audit_log_keys (key, changed_at, entry_number)
          SELECT key, NEW.changed_at, NEW.entry_number FROM (${postgresKeysOf('NEW')}) AS keys WHERE key IS NOT NULL;
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
      FOR EACH ROW EXECUTE FUNCTION forget_audit_log_entry();`,
  });
