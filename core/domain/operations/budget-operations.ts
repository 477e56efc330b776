import { budgetOperations as api } from '@tollfree/contract/budget';
import { listMessage, request, text } from '../../base/message-schema.ts';
import { BudgetSchema, BudgetTermsSchema } from '../budget.ts';
import { type CoreMethods, inputOf, version } from './core-methods.ts';

/** What an account's paymasters may sponsor together, in USD. Changes apply from the next signature on. */
export const budgetOperations = {
  /** Ordered by name. */
  listBudgets: { input: inputOf(api.list), value: listMessage('BudgetList', 'budgets', BudgetSchema) },
  /**
   * It counts what is sponsored from now on. `BUDGET_NAME_EXISTS`, `TOO_MANY_BUDGETS`, `INVALID_FIELD` for paymasters of other
   * accounts.
   */
  createBudget: { input: request({ accountId: text, terms: BudgetTermsSchema }), value: BudgetSchema },
  /**
   * Replaces all its settings. Its use stays, unless its window or its paymasters change: then it begins at zero.
   * `BUDGET_NOT_FOUND`, and the refusals of creating one.
   */
  replaceBudget: {
    input: request({ accountId: text, budgetId: text, terms: BudgetTermsSchema, ...version }),
    value: BudgetSchema,
  },
  /** Deletes it. A new budget with the same settings begins at zero. */
  deleteBudget: { input: inputOf(api.delete), value: BudgetSchema },
} as const satisfies CoreMethods;
