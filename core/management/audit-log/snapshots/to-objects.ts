import type { Facts, Objects } from '../facts.ts';

/** Rows as objects by kind and id. */
export function toObjects<Row>(rows: readonly Row[], describe: (row: Row) => readonly [string, Facts]): Objects {
  return Object.fromEntries(rows.map(describe));
}
