import { StoreError } from '../store-error.ts';
import { baseline } from './baseline/baseline.ts';
import type { Migration, MigrationHistory } from './migration.ts';

/** New steps go to the end. */
export const history: MigrationHistory = { baseline, steps: [] };

/** The oldest schema that this program continues from. */
export const oldestVersion = history.baseline.version;

/** The version of the schema that this program works with. */
export const newestVersion = newestOf(history);

/**
 * The missing steps of a database of version `applied`, in order; an empty one has version 0.
 *
 * @throws StoreError when no step continues from this version; `name` is the operator's name for the database.
 */
export function missingSteps(known: MigrationHistory, applied: number, name: string): readonly Migration[] {
  checkVersion(known, applied, name);
  if (applied > 0) return known.steps.filter(({ version }) => version > applied);
  return [known.baseline, ...known.steps.filter(({ version }) => version > known.baseline.version)];
}

/** Throws a `StoreError` when a schema is newer than this program, or older than its first step. */
export function checkVersion(known: MigrationHistory, applied: number, name: string): void {
  const newest = newestOf(known);
  if (applied > newest) {
    throw new StoreError(
      `The database ${name} has schema version ${applied}, but this program knows versions up to ${newest}. ` +
        'Start the version of the program that wrote it, or a newer one.',
    );
  }
  if (applied > 0 && applied < known.baseline.version) {
    throw new StoreError(
      `The database ${name} has schema version ${applied}, from before the first release. This program cannot read it. ` +
        'Start with a new database, and set it up again: the deposits on chain are found there.',
    );
  }
}

function newestOf({ baseline, steps }: MigrationHistory): number {
  return Math.max(baseline.version, steps.at(-1)?.version ?? 0);
}
