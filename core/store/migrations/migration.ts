import type { SqlWords } from './sql-words.ts';

/** A step of the schema. `version` increases by 1; a released step never changes. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  /** One SQL text for both databases; `words` supplies the parts that differ. */
  readonly sql: (words: SqlWords) => string;
  /** Older programs write wrong rows after this step. On PostgreSQL, cores of an older version stop writing. */
  readonly endsOlderWriters?: true;
};

/** All schemas that a database can have. */
export type MigrationHistory = {
  /** Creates the newest tables in an empty database, instead of all steps up to its version. */
  readonly baseline: Migration;
  /** The oldest version that the steps can upgrade. */
  readonly oldestVersion: number;
  /** In the order they are applied. */
  readonly steps: readonly Migration[];
};
