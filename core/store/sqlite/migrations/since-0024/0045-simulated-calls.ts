import type { Migration } from '../../../migration.ts';

/** Whether the call of a signed operation went through in the simulation that it was signed after: 1 for yes, 0 if unknown. */
export const simulatedCalls: Migration = {
  version: 45,
  name: 'simulated-calls',
  sql: 'ALTER TABLE signatures ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0;',
};
