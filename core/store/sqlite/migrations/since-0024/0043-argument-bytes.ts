import type { Migration } from '../../../migration.ts';

/** How many bytes the arguments of each whitelisted method always take, in the order of `selectors`. Empty where it is not known yet. */
export const argumentBytes: Migration = {
  version: 43,
  name: 'argument-bytes',
  sql: "ALTER TABLE contracts ADD COLUMN argument_bytes TEXT NOT NULL DEFAULT '';",
};
