import { listMessage, request, text } from '../../base/message-schema.ts';
import { BudgetSchema, BudgetTermsSchema } from '../budget.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** What an account's paymasters may sponsor together, in USD. What was changed is in force from the next signature on. */
export const budgetOperations = {
  /** In the order of their names. */
  listBudgets: { input: request({ accountId: text }), value: listMessage('BudgetList', 'budgets', BudgetSchema) },
  /**
   * What has been sponsored in its first window before counts in it. `BUDGET_NAME_EXISTS`, `TOO_MANY_BUDGETS`, `INVALID_FIELD` for paymasters
   * of others.
   */
  createBudget: { input: request({ accountId: text, terms: BudgetTermsSchema }), value: BudgetSchema },
  /** Replaces all that is said of it, and nothing of what is used. `BUDGET_NOT_FOUND`, and as when one is created. */
  replaceBudget: { input: request({ accountId: text, budgetId: text, terms: BudgetTermsSchema }), value: BudgetSchema },
  /** Ends it. One of the same terms that is created afterwards has used as much. */
  deleteBudget: { input: request({ accountId: text, budgetId: text }), value: BudgetSchema },
} as const satisfies CoreMethods;
export type BudgetOperations = OperationsOf<typeof budgetOperations>;
