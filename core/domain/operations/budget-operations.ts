import type { Budget, BudgetTerms } from '../budgets/budget.ts';
import type { Result } from '../result/result.ts';

/** What an account's paymasters may sponsor together, in USD. What was changed is in force from the next signature on. */
export type BudgetOperations = {
  /** In the order of their names. */
  listBudgets(input: { accountId: string }): Promise<Result<readonly Budget[]>>;
  /**
   * What has been sponsored in its first window before counts in it. `BUDGET_NAME_EXISTS`, `TOO_MANY_BUDGETS`, `INVALID_FIELD` for paymasters
   * of others.
   */
  createBudget(input: { accountId: string; terms: BudgetTerms }): Promise<Result<Budget>>;
  /** Replaces all that is said of it, and nothing of what is used. `BUDGET_NOT_FOUND`, and as when one is created. */
  replaceBudget(input: { accountId: string; budgetId: string; terms: BudgetTerms }): Promise<Result<Budget>>;
  /** Ends it. One of the same terms that is created afterwards has used as much. */
  deleteBudget(input: { accountId: string; budgetId: string }): Promise<Result<Budget>>;
};
