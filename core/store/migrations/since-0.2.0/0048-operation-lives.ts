import type { Migration } from '../migration.ts';

/**
 * Additional facts about the life of an operation. For a signature: its decision, whether its hash is a name by content,
 * when a bundler accepted it, and which events have been reported (1: landed, 2: dropped). For an ended hold: which
 * operation used the nonce and in which block, when that was recorded, and why nothing can land any more. The index excludes
 * names, since they are written with the hold, which an answer waits for.
 */
const operationLives: Migration = {
  version: 48,
  name: 'operation-lives',
  sql: ({ integer, text }) => `
    ALTER TABLE signatures ADD COLUMN decision_id ${text};
    ALTER TABLE signatures ADD COLUMN is_name ${integer} NOT NULL DEFAULT 0 CHECK (is_name IN (0, 1));
    ALTER TABLE signatures ADD COLUMN sent_at ${integer};
    ALTER TABLE signatures ADD COLUMN reported ${integer} NOT NULL DEFAULT 0 CHECK (reported BETWEEN 0 AND 3);
    CREATE INDEX signatures_by_hash ON signatures (user_operation_hash) WHERE is_name = 0;
    ALTER TABLE holds ADD COLUMN landed_hash ${text};
    ALTER TABLE holds ADD COLUMN landed_block ${integer};
    ALTER TABLE holds ADD COLUMN ended_at ${integer};
    ALTER TABLE holds ADD COLUMN released_because ${text}
      CHECK (released_because IN ('expired', 'replaced', 'operator'));
    CREATE INDEX holds_by_transaction ON holds (landed_tx) WHERE landed_tx IS NOT NULL;
  `,
};

export const stepsTo48: readonly Migration[] = [operationLives];
