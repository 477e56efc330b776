/** Whether this is `npm run test:long`, or any run with `LONG_TESTS=1`. */
export const isLongRun = process.env.LONG_TESTS === '1';

/** The rows of a long table: the first ones in `npm test`, all of them in a long run. Its file is in `shortenedTests`. */
export function rowsOfRun<Row>(rows: readonly Row[], examples: number): readonly Row[] {
  return isLongRun ? rows : rows.slice(0, examples);
}

/** The first row of each key in `npm test`, all rows in a long run. Its file is in `shortenedTests`. */
export function oneOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return isLongRun ? rows : rows.filter((row, index) => rows.findIndex((one) => keyOf(one) === keyOf(row)) === index);
}

/** How often something is repeated in `npm test`, and in a long run. Its file is in `shortenedTests`. */
export function repeatsOfRun(short: number, long: number): number {
  return isLongRun ? long : short;
}
