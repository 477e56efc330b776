import { type RawBuilder, sql } from 'kysely';

/** Digits per limb, from the left: each limb's sum over billions of rows stays within 64 bits. */
const limbs = [
  { start: 1, digits: 13 },
  { start: 14, digits: 9 },
  { start: 23, digits: 9 },
  { start: 32, digits: 9 },
] as const;

/**
 * The exact sum of a wei text column, computed by the database: limb sums joined with `:`, for `fromWeiSum`. Null over
 * no rows.
 */
export function sumWei(column: string): RawBuilder<string | null> {
  const sums = limbs.map(
    ({ start, digits }) =>
      sql`CAST(SUM(CAST(substr(${sql.ref(column)}, ${sql.lit(start)}, ${sql.lit(digits)}) AS BIGINT)) AS TEXT)`,
  );
  return sql<string | null>`${sql.join(sums, sql` || ':' || `)}`;
}

/** The sum that `sumWei` selected, in wei. */
export function fromWeiSum(sum: string | null | undefined): bigint {
  if (sum === null || sum === undefined) return 0n;
  return sum.split(':').reduce((total, limb) => total * 10n ** 9n + BigInt(limb), 0n);
}
