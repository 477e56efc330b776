import { existsSync, renameSync, rmSync } from 'node:fs';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { openSqlite } from '../../core/store/sqlite/open-sqlite.ts';

/** Tables with people's settings, in the order of their references. All other tables concern a chain. */
export const settingsTables = [
  'master_keys',
  'retired_digest_keys',
  'accounts',
  'account_members',
  'budgets',
  'auth_tokens',
  'sessions',
  'used_nonces',
  'audit_log',
  'paymasters',
  'api_keys',
  'api_key_settings',
  'contracts',
  'webhooks',
  'funding_messages',
  'funding_wallets',
  'policies',
  'ticket_keys',
  'named_policies',
  'notifications',
] as const;

/** What happened to the settings of an earlier run. */
export type KeptSettings = 'there were none' | 'kept' | 'not readable';

/**
 * Replaces the database of an earlier run by one with an empty ledger that keeps the settings: the chain of the old ledger
 * is gone. Can be repeated after an interruption.
 */
export function keepSettings(databaseFile: string): KeptSettings {
  const former = `${databaseFile}.former`;
  if (!existsSync(former)) {
    if (!existsSync(databaseFile)) return 'there were none';
    // The database last: until it has moved, nothing has.
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, former + suffix);
    }
  }
  removeDatabase(databaseFile);
  try {
    copySettings(former, databaseFile);
    return 'kept';
  } catch {
    removeDatabase(databaseFile);
    return 'not readable';
  } finally {
    removeDatabase(former);
  }
}

export function removeDatabase(file: string): void {
  for (const suffix of ['-wal', '-shm', '']) rmSync(file + suffix, { force: true });
}

function copySettings(from: string, to: string): void {
  const former = openSqlite(from);
  try {
    migrate(former);
  } finally {
    former.close();
  }
  const database = openSqlite(to);
  try {
    migrate(database);
    database.prepare('ATTACH ? AS former').run(from);
    database.transaction(() => {
      for (const table of settingsTables) database.exec(`INSERT INTO main.${table} SELECT * FROM former.${table}`);
    })();
  } finally {
    database.close();
  }
}
