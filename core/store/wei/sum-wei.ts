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
  return sql<string | null>`${sql.join(
    limbSums(column).map((sum) => sql`CAST(${sum} AS TEXT)`),
    sql` || ':' || `,
  )}`;
}

/** The same as wei text, which sorts numerically; zero over no rows. */
export function sumWeiText(column: string): RawBuilder<string> {
  const [first, second, third, fourth] = limbSums(column).map((sum) => sql`coalesce(${sum}, 0)`);
  const thirdCarried = sql`(${third} + ${fourth} / 1000000000)`;
  const secondCarried = sql`(${second} + ${thirdCarried} / 1000000000)`;
  const firstCarried = sql`(${first} + ${secondCarried} / 1000000000)`;
  const carried = [secondCarried, thirdCarried, fourth].map((limb) => padded(sql`${limb} % 1000000000`, 9));
  return sql<string>`${sql.join([padded(firstCarried, 13), ...carried], sql` || `)}`;
}

/** A number padded to a fixed number of digits: a leading 1 is added, then removed again. */
function padded(limb: RawBuilder<unknown>, digits: number): RawBuilder<string> {
  return sql<string>`substr(CAST(${limb} + ${sql.lit(10 ** digits)} AS TEXT), 2)`;
}

function limbSums(column: string): readonly RawBuilder<number | null>[] {
  return limbs.map(
    ({ start, digits }) =>
      // Their sum is not BIGINT everywhere, and other types do not use integer division.
      sql<
        number | null
      >`CAST(SUM(CAST(substr(${sql.ref(column)}, ${sql.lit(start)}, ${sql.lit(digits)}) AS BIGINT)) AS BIGINT)`,
  );
}

/** The sum that `sumWei` selected, in wei. */
export function fromWeiSum(sum: string | null | undefined): bigint {
  if (sum === null || sum === undefined) return 0n;
  return sum.split(':').reduce((total, limb) => total * 10n ** 9n + BigInt(limb), 0n);
}
