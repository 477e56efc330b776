import type { Migration } from './migration.ts';
import { StoreError } from './store-error.ts';

/** Throws a `StoreError` when a schema is newer than the newest of `migrations`; `name` is what the operator calls its database. */
export function checkVersion(applied: number, migrations: readonly Migration[], name: string): void {
  const known = migrations.at(-1)?.version ?? 0;
  if (applied <= known) return;
  throw new StoreError(
    `The database ${name} has schema version ${applied}, but this program knows versions up to ${known}. ` +
      'Start the version of the program that wrote it, or a newer one.',
  );
}
