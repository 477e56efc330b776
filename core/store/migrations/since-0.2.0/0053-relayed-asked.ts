import type { Migration } from '../migration.ts';

/**
 * How often an operation was or may have been given to a bundler. Once, by the request that brought it: when the bundler could not
 * be reached then, it does not have the operation. Of rows from before no one knows.
 */
const relayedAsked: Migration = {
  version: 53,
  name: 'relayed-asked',
  sql: ({ integer }) => `
    ALTER TABLE relayed_operations ADD COLUMN asked ${integer} NOT NULL DEFAULT 2;
  `,
};

export const stepsTo53: readonly Migration[] = [relayedAsked];
