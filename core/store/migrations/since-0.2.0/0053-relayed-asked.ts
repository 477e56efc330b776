import type { Migration } from '../migration.ts';

/**
 * How often an operation was or may have been sent to a bundler. If only its own request did and could not reach the
 * bundler, the bundler does not have it. Unknown for earlier rows.
 */
const relayedAsked: Migration = {
  version: 53,
  name: 'relayed-asked',
  sql: ({ integer }) => `
    ALTER TABLE relayed_operations ADD COLUMN asked ${integer} NOT NULL DEFAULT 2;
  `,
};

export const stepsTo53: readonly Migration[] = [relayedAsked];
