import { type RawBuilder, sql } from 'kysely';
import { mapParameter, type Placeholder } from './statements/placeholder.ts';

/** A negative amount has the sign instead of the first digit. */
const negative = /^-0*(\d+)$/;

/**
 * Wei that may be negative, in the 40 characters of `toWeiText`.
 *
 * @throws RangeError when the amount has too many digits.
 */
export function toSignedWeiText(amount: bigint): string {
  if (amount >= 0n) return toWeiText(amount);
  const text = toWeiText(-amount);
  if (!text.startsWith('0')) throw new RangeError('An amount of wei is out of range.');
  return `-${text.slice(1)}`;
}

/** The amount that `toSignedWeiText` wrote. */
export function fromSignedWeiText(text: string): bigint {
  const weiDigits = negative.exec(text)?.[1];
  return weiDigits === undefined ? fromWeiText(text) : -BigInt(weiDigits);
}

/** Digits of an amount in the store: enough for 10^22 ether, far more than will ever exist. */
const weiDigits = 40;

/**
 * Wei in stored form: decimal text padded to 40 digits, exact, and sorting numerically. (A 64-bit integer column would end
 * at 9.2 ether.)
 *
 * @throws RangeError when the amount is negative or has more digits.
 */
export function toWeiText(amount: bigint): string {
  const text = amount.toString();
  if (amount < 0n || text.length > weiDigits) throw new RangeError('An amount of wei is out of range.');
  return text.padStart(weiDigits, '0');
}

/** The amount that `toWeiText` wrote. */
export function fromWeiText(text: string): bigint {
  return BigInt(text);
}

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

/** The exact sum of a wei text column as wei text, which sorts numerically; zero over no rows. */
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
    sql`(CAST(substr(${sql.ref(column)}, ${sql.lit(start)}, ${sql.lit(length)}) AS BIGINT)
      + CAST(${mapParameter(amount, (value) => limbOf(value, start, length))} AS BIGINT))`;
  const fourth = limb(32, digits);
  const third = sql`(${limb(23, digits)} + ${fourth} / ${sql.lit(limbSize)})`;
  const second = sql`(${limb(14, digits)} + ${third} / ${sql.lit(limbSize)})`;
  const first = sql`(${limb(1, 13)} + ${second} / ${sql.lit(limbSize)})`;
  const padded = (value: RawBuilder<unknown>, size: number) =>
    sql`substr(CAST(${value} % ${sql.lit(size)} + ${sql.lit(size)} AS TEXT), 2)`;
  return sql<string>`${sql.join(
    [padded(first, firstSize), ...[second, third, fourth].map((value) => padded(value, limbSize))],
    sql` || `,
  )}`;
}

function limbOf(amount: bigint, start: number, length: number): number {
  const added = (((amount % modulus) + modulus) % modulus).toString().padStart(40, '0');
  return Number(added.slice(start - 1, start - 1 + length));
}
