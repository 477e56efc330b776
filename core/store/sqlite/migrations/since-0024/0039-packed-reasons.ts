import type { Migration } from '../../../migration.ts';

/**
 * What is said of a decision next to its facts, packed (core/decisions/pack-reasons.ts). Decisions that are there keep it in `record`
 * until they are pruned: to rewrite them would take an upgrade minutes.
 */
export const packedReasons: Migration = {
  version: 39,
  name: 'packed-reasons',
  sql: `ALTER TABLE decisions ADD COLUMN reasons BLOB;`,
};
