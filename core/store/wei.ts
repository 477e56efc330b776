import { type RawBuilder, sql } from 'kysely';
import { mapParameter, type Placeholder } from './statements/placeholder.ts';

/** Digits of an amount in the store: enough for 10^22 ether, far more than will ever exist. */
const weiDigits = 40;

/**
 * Wei in stored form: decimal text, exact. (A 64-bit integer column would end at 9.2 ether.)
 *
 * @throws RangeError when the amount is negative or has more than 40 digits.
 */
export function toWeiText(amount: bigint): string {
  const text = amount.toString();
  if (amount < 0n || text.length > weiDigits) throw new RangeError('An amount of wei is out of range.');
  return text;
}

/**
 * Wei that may be negative, in stored form.
 *
 * @throws RangeError when the amount has more than 40 digits.
 */
export function toSignedWeiText(amount: bigint): string {
  return amount < 0n ? `-${toWeiText(-amount)}` : toWeiText(amount);
}

/** The amount that `toWeiText` or `toSignedWeiText` wrote. */
export function fromWeiText(text: string): bigint {
  return BigInt(text);
}

/** Of 40 digits, from the left: each limb's sum over billions of rows stays within 64 bits. */
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

/** The exact sum of a wei text column, padded to 40 digits, so that it sorts numerically; zero over no rows. */
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
      sql<number | null>`CAST(SUM(${limbOfColumn(column, start, digits)}) AS BIGINT)`,
  );
}

/** Some of the digits of a wei text column, as if it had all 40. */
function limbOfColumn(column: string, start: number, length: number): RawBuilder<number> {
  const text = sql.ref(column);
  const zeros = sql.lit('0'.repeat(weiDigits));
  return sql<number>`CAST(substr(${zeros} || ${text}, length(${text}) + ${sql.lit(start)}, ${sql.lit(length)}) AS BIGINT)`;
}

/** The sum that `sumWei` selected, in wei. */
export function fromWeiSum(sum: string | null | undefined): bigint {
  if (sum === null || sum === undefined) return 0n;
  return sum.split(':').reduce((total, limb) => total * 10n ** 9n + BigInt(limb), 0n);
}

/** Above all amounts of 40 digits: a negative amount is added modulo this. */
const modulus = 10n ** 40n;
/** Digits of each limb except the first, which has the remaining 13. */
const digits = 9;
const limbSize = 10 ** digits;
const firstSize = 10 ** 13;

/**
 * The wei text of a column plus an amount that may be negative, computed by the database, so that another transaction's
 * concurrent addition is not lost. The result must not be negative.
 */
export function plusWei(column: string, amount: bigint | Placeholder<bigint>): RawBuilder<string> {
  const limb = (start: number, length: number) =>
    sql`(${limbOfColumn(column, start, length)}
      + CAST(${mapParameter(amount, (value) => limbOf(value, start, length))} AS BIGINT))`;
  const fourth = limb(32, digits);
  const third = sql`(${limb(23, digits)} + ${fourth} / ${sql.lit(limbSize)})`;
  const second = sql`(${limb(14, digits)} + ${third} / ${sql.lit(limbSize)})`;
  const first = sql`(${limb(1, 13)} + ${second} / ${sql.lit(limbSize)})`;
  const padded = (value: RawBuilder<unknown>, size: number) =>
    sql`substr(CAST(${value} % ${sql.lit(size)} + ${sql.lit(size)} AS TEXT), 2)`;
  const all = [padded(first, firstSize), ...[second, third, fourth].map((value) => padded(value, limbSize))];
  return sql<string>`coalesce(nullif(ltrim(${sql.join(all, sql` || `)}, '0'), ''), '0')`;
}

function limbOf(amount: bigint, start: number, length: number): number {
  const added = (((amount % modulus) + modulus) % modulus).toString().padStart(weiDigits, '0');
  return Number(added.slice(start - 1, start - 1 + length));
}
