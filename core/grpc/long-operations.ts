import type { OperationName } from './operation-types.ts';

/**
 * Operations that may take longer than others, and how long, in milliseconds. A check of the books reads every row that there
 * ever was once after each start, and with `allRows` every time: some 10 seconds for each million operations.
 */
export const longOperationsMs: Readonly<Partial<Record<OperationName, number>>> = { checkLedger: 30 * 60_000 };
