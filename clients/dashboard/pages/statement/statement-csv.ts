import { csvLines } from '../../parts/save-file.ts';
import { type Matrix, usdOfMicros } from './statement-matrix.ts';

/** The rows and columns of the page as CSV, with wei and USD of each payer next to each other. */
export function statementCsv({ columns, rows }: Matrix): string {
  return csvLines([
    ['Entry', ...columns.flatMap(({ title }) => [`${title} in wei`, `${title} in USD`, `${title} without a price`])],
    ...rows.map(({ title, amounts }) => [
      title,
      ...columns.flatMap(({ key }) => {
        const { wei, usdMicros, unpriced = 0 } = amounts[key] ?? {};
        return [wei?.toString() ?? '', usdMicros === undefined ? '' : usdOfMicros(usdMicros), unpriced];
      }),
    ]),
  ]);
}
