import type { Migration } from '../migration.ts';
import type { SqlWords } from '../sql-words.ts';

/** Append-only tables, and which of their rows can be archived: those of operations, not deposits and withdrawals. */
const journals = [
  { table: 'entries', rows: 'entries', stays: "OLD.kind NOT IN ('hold', 'release', 'settle') OR " },
  { table: 'movements', rows: 'movements', stays: "OLD.kind <> 'cost' OR " },
  { table: 'token_payments', rows: 'token payments', stays: '' },
] as const;

/** Only the archiving transaction may delete rows. */
const deletedByArchiving = (either: SqlWords['either'], { table, rows, stays }: (typeof journals)[number]) => {
  const refused = `${stays}NOT EXISTS (SELECT 1 FROM ledger_archive WHERE is_open = 1)`;
  return either({
    sqlite: `
    DROP TRIGGER ${table}_are_not_deleted;
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table} WHEN ${refused}
      BEGIN SELECT RAISE(ABORT, '${rows} are never deleted'); END;`,
    postgres: `
    DROP TRIGGER ${table}_are_not_deleted ON ${table};
    CREATE FUNCTION keep_unless_archiving_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${refused} THEN
          RAISE EXCEPTION '${rows} are never deleted';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION keep_unless_archiving_${table}();`,
  });
};

/**
 * Archived parts of the ledger, as monthly sums, so that the ledger still adds up; the progress of archiving; and an index
 * of the entries of a hold. The index that prevents booking an event twice also finds a transaction's entries.
 */
export const ledgerArchive: Migration = {
  version: 49,
  name: 'ledger-archive',
  sql: ({ integer, text, strict, byKey, either }) => `
    CREATE TABLE ledger_archive (
      archive ${integer} PRIMARY KEY CHECK (archive = 1),
      is_open ${integer} NOT NULL CHECK (is_open IN (0, 1)),
      entries_until ${integer} NOT NULL CHECK (entries_until >= 0),
      movements_until ${integer} NOT NULL CHECK (movements_until >= 0),
      entries_since ${integer} NOT NULL CHECK (entries_since >= 0)
    )${strict};
    CREATE TABLE archived_entries (
      tank_id ${integer} NOT NULL REFERENCES tanks (tank_id),
      month ${integer} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('hold', 'release', 'settle')),
      entries ${integer} NOT NULL CHECK (entries > 0),
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND entries),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, month, kind)
    )${byKey};
    CREATE TABLE archived_movements (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      month ${integer} NOT NULL,
      tank_id ${integer} NOT NULL,
      movements ${integer} NOT NULL CHECK (movements > 0),
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      PRIMARY KEY (chain_id, contract, month, tank_id)
    )${byKey};
    CREATE TABLE archived_usage (
      policy_key ${text} NOT NULL,
      subject ${text} NOT NULL,
      operations ${integer} NOT NULL CHECK (operations >= 0),
      wei ${text} NOT NULL CHECK (length(wei) = 40),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      unpriced_wei ${text} NOT NULL CHECK (length(unpriced_wei) = 40),
      PRIMARY KEY (policy_key, subject)
    )${byKey};
    ALTER TABLE contract_watches ADD COLUMN archived_block ${integer};
    CREATE INDEX entries_by_hold ON entries (hold_id) WHERE hold_id IS NOT NULL;
    DROP INDEX entries_by_transaction;
    DROP INDEX one_entry_per_log;
    CREATE UNIQUE INDEX one_entry_per_log ON entries (tx_hash, log_index, tank_id, kind, coalesce(hold_id, 0), rewind)
      WHERE tx_hash IS NOT NULL AND reverses IS NULL;
    ${journals.map((journal) => deletedByArchiving(either, journal)).join('')}
  `,
  // They would roll the ledger back to blocks with archived rows, and count limits without archived holds.
  endsOlderWriters: true,
};
