import type { SqlWords } from './sql-words.ts';

/** A step of the schema. `version` counts up by 1; a step that has been released never changes. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  /** One text for both databases: what they spell differently comes from the words. */
  readonly sql: (words: SqlWords) => string;
  /** Programs from before this step write wrong rows next to it. On PostgreSQL, cores of an older version stop writing. */
  readonly endsOlderWriters?: true;
};

/** All schemas that a database can have. */
export type MigrationHistory = {
  /** Makes the newest tables in an empty database, instead of all steps up to its version. */
  readonly baseline: Migration;
  /** The oldest version that the steps lead on from. */
  readonly oldestVersion: number;
  /** In the order they are applied. */
  readonly steps: readonly Migration[];
};
