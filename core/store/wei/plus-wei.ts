import { type RawBuilder, sql } from 'kysely';
import { mapParameter, type Placeholder } from '../statements/placeholder.ts';

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
