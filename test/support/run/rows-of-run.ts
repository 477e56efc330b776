/** Whether this is `npm run test:long`, or any run with `LONG_TESTS=1`. */
export const isLongRun = process.env.LONG_TESTS === '1';

/** The rows of a long table: the first ones in `npm test`, all of them in a long run. Its file is in `shortenedTests`. */
export function rowsOfRun<Row>(rows: readonly Row[], examples: number): readonly Row[] {
  return isLongRun ? rows : rows.slice(0, examples);
}
