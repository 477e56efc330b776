import type { Migration } from '../migration.ts';

/**
 * Operations accepted for relaying, in the form for the bundler, written with their hold. `waiting`: no bundler has
 * confirmed it. `taken`: one has. `ended`: the hold has ended. `next_at`: when it is sent to the bundler again, or when the
 * row is deleted.
 */
const relayedOperations: Migration = {
  version: 50,
  name: 'relayed-operations',
  sql: ({ integer, text, byKey, isJson }) => `
    CREATE TABLE relayed_operations (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      user_operation_hash ${text} NOT NULL CHECK (length(user_operation_hash) = 66),
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      operation ${text} NOT NULL CHECK (${isJson('operation')}),
      state ${text} NOT NULL CHECK (state IN ('waiting', 'taken', 'ended')),
      next_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (chain_id, contract, user_operation_hash, hold_id)
    )${byKey};
    CREATE INDEX relayed_operations_due ON relayed_operations (chain_id, contract, state, next_at);
    CREATE INDEX relayed_operations_by_hold ON relayed_operations (hold_id);
  `,
};

export const stepsTo50: readonly Migration[] = [relayedOperations];
