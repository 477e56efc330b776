import type { BudgetItem } from '@tollfree/contract/budgets/budget';

/** What a budget is to be. */
export type BudgetParameters = {
  /** Unique within the account. */
  readonly name: string;
  /** The most in each window, in USD with at most six decimals: `250.00`. */
  readonly maxUsd: string;
  /** Windows follow the UTC calendar; weeks begin on Monday. */
  readonly window: BudgetItem['window'];
  /** The paymasters that share it. Absent: all of the account's, those to come too. */
  readonly paymasterIds?: readonly string[] | undefined;
};
