/** Windows that budgets count in, as limits of policies have them; none of hours: worth is kept by the day. */
export const budgetWindows = ['day', 'week', 'month', 'ever'] as const;
export type BudgetWindow = (typeof budgetWindows)[number];

/** What an account holder says of a budget. Of all the account's paymasters, those to come too, without `paymasterIds`. */
export type BudgetTerms = {
  readonly name: string;
  /** Millionths of a USD. */
  readonly maxUsdMicros: bigint;
  readonly window: string;
  readonly paymasterIds?: readonly string[];
};

/**
 * How much several paymasters of an account may sponsor together in each window, on whichever chains. Times in Unix seconds, amounts
 * in millionths of a USD.
 */
export type Budget = BudgetTerms & {
  readonly budgetId: string;
  readonly window: BudgetWindow;
  /** What is set aside for signatures that may still land, and what landed ones have cost, in the window of this moment. */
  readonly usedUsdMicros: bigint;
  /** When that window ends. Absent of one that never does. */
  readonly until?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
