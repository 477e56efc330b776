import { sql } from 'kysely';
import type { Store } from '../../../core/store/store.ts';
import { isOnPostgres } from './test-database.ts';

/** Takes a trigger from a table, so that a test can write what no program does. */
export async function dropTrigger({ db }: Store, table: string, trigger: string): Promise<void> {
  const at = isOnPostgres ? sql` ON ${sql.table(table)}` : sql``;
  await sql`DROP TRIGGER ${sql.table(trigger)}${at}`.execute(db);
}

/** Has the database refuse what is written from now on, and take it again. */
export async function refuseWrites(store: Store): Promise<void> {
  await setReadOnly(store, true);
}

export async function takeWrites(store: Store): Promise<void> {
  await setReadOnly(store, false);
}

async function setReadOnly({ db, transaction }: Store, isReadOnly: boolean): Promise<void> {
  if (!isOnPostgres) {
    await sql`PRAGMA query_only = ${sql.lit(isReadOnly ? 1 : 0)}`.execute(db);
    return;
  }
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db);
  const flag = sql.lit(isReadOnly ? 'on' : 'off');
  await sql`ALTER DATABASE ${sql.table(rows[0]?.name ?? '')} SET default_transaction_read_only = ${flag}`.execute(db);
  // It holds for sessions that begin later.
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(db);
  // The first may still be sent over the old connection.
  await transaction((trx) => sql`SELECT 1`.execute(trx)).catch(() => {});
}
