import { StoreError } from '../store-error.ts';
import { baseline } from './baseline/baseline.ts';
import type { Migration, MigrationHistory } from './migration.ts';
import { stepsTo12 } from './since-0.2.0/0007-to-0012.ts';
import { stepsTo17 } from './since-0.2.0/0013-to-0017.ts';
import { stepsTo25 } from './since-0.2.0/0018-to-0025.ts';
import { stepsTo35 } from './since-0.2.0/0026-to-0035.ts';
import { stepsTo47 } from './since-0.2.0/0036-to-0047.ts';
import { stepsTo56 } from './since-0.2.0/0048-to-0056.ts';
import { boundedUsage } from './since-0.2.0/0057-bounded-usage.ts';
import { openTokenPayments } from './since-0.2.0/0058-open-token-payments.ts';
import { deliveriesByState } from './since-0.2.0/0059-deliveries-by-state.ts';
import { calledBack } from './since-0.2.0/0060-called-back.ts';

/** The schema version of release 0.2.0, which only supported SQLite: PostgreSQL began with version 17. */
const released020 = 6;

/** New steps go to the end. */
export const history: MigrationHistory = {
  baseline,
  oldestVersion: released020,
  steps: [
    ...stepsTo12,
    ...stepsTo17,
    ...stepsTo25,
    ...stepsTo35,
    ...stepsTo47,
    ...stepsTo56,
    boundedUsage,
    openTokenPayments,
    deliveriesByState,
    calledBack,
  ],
};

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
  if (applied > 0 && applied < known.oldestVersion) {
    throw new StoreError(
      `The database ${name} has schema version ${applied}, which is older than that of Tollfree 0.2.0. ` +
        'Start Tollfree 0.2.0 with it once, then this version.',
    );
  }
}

function newestOf({ baseline, steps }: MigrationHistory): number {
  return Math.max(baseline.version, steps.at(-1)?.version ?? 0);
}
