import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { etag } from './fields/etag.ts';
import { exactly, must } from './fields/exactly.ts';
import { afterType, withForm, withObjectForm } from './fields/form.ts';
import { seconds, upperCaseForm, usdForm } from './fields/forms.ts';
import { maxBudgetPaymasters, maxBudgets, maxIdLength, maxNameLength } from './limits.ts';
import { limitError, manageOperation, readOperation } from './operation.ts';
import { listOf, usd } from './policy-fields.ts';
import { textField } from './text-field.ts';

/** Windows follow the UTC calendar; weeks begin on Monday. */
export const budgetWindows = ['DAY', 'WEEK', 'MONTH', 'EVER'] as const;

const window = withForm(
  z.enum(budgetWindows, must(`must be one of ${budgetWindows.join(', ')}`)),
  upperCaseForm,
).describe('Windows follow the UTC calendar; weeks begin on Monday.');

export const BudgetTermsSchema = withObjectForm(
  exactly({
    name: textField('name', maxNameLength).describe('Unique within the account.'),
    maxUsd: usd.describe('The most in each window, in USD: `250.00`.'),
    window,
    paymasterIds: listOf(z.string(must('must be a string')), maxBudgetPaymasters)
      .check(afterType(z.minLength(1, must('must name at least one paymaster'))))
      .optional()
      .describe('The paymasters that share the budget. Absent: all of the account’s, including future ones.'),
  }),
  { read: (terms) => ({ terms }) },
);
export type BudgetTerms = z.infer<typeof BudgetTermsSchema>;

export const BudgetSchema = z.object({
  budgetId: z.string(),
  name: z.string(),
  maxUsd: withForm(z.string(), usdForm),
  window: withForm(z.enum(budgetWindows), upperCaseForm),
  paymasterIds: z.array(z.string()).optional().describe('Absent: all of the account’s, including future ones.'),
  usedUsd: withForm(z.string(), usdForm).describe(
    'Used in this window: held for signatures that may still land, plus the cost of landed operations.',
  ),
  until: seconds.optional().describe('Unix seconds when the next window begins. Absent if the window never ends.'),
  createdAt: seconds,
  updatedAt: seconds,
  etag,
});
export type BudgetItem = z.infer<typeof BudgetSchema>;

const BudgetParamsSchema = z.object({ budgetId: textField('budgetId', maxIdLength) });
const { budgetNotFound, budgetNameExists } = managementErrors;

/** A budget: what several paymasters of an account may sponsor together, in USD, across chains. */
export const budgetOperations = {
  /** The account's budgets by name, with the use of each in its current window. */
  list: readOperation('listBudgets', {
    path: '/budgets',
    summary: 'List the account’s budgets with their usage',
    credentials: 'account',
    message: 'Budget list fetched',
    data: z.array(BudgetSchema),
  }),
  /**
   * Creates a budget that paymasters of the account share, on any chain. It counts from now on.
   *
   * @example
   * await client.createBudget({ name: 'all we give away', maxUsd: '250.00', window: 'MONTH' });
   */
  create: manageOperation('createBudget', {
    method: 'POST',
    path: '/budgets',
    summary: 'Create a budget, which counts from now on',
    credentials: 'account',
    body: BudgetTermsSchema,
    message: 'Budget created',
    data: BudgetSchema,
    errors: [budgetNameExists, limitError(`An account can have at most ${maxBudgets} budgets`)],
    repeatable: false,
    changes: 'budgets',
  }),
  /** Replaces a budget. Its use is kept, unless its window or its paymasters change: then it begins at zero. */
  replace: manageOperation('replaceBudget', {
    method: 'PUT',
    path: '/budgets/:budgetId',
    summary: 'Replace a budget; its usage stays unless its window or paymasters change',
    credentials: 'account',
    pathParams: BudgetParamsSchema,
    body: BudgetTermsSchema,
    versioned: true,
    message: 'Budget replaced',
    data: BudgetSchema,
    errors: [budgetNotFound, budgetNameExists],
    repeatable: true,
    changes: 'budgets',
  }),
  /** Deletes a budget. A new one with the same terms begins at zero. */
  delete: manageOperation('deleteBudget', {
    method: 'DELETE',
    path: '/budgets/:budgetId',
    summary: 'Delete a budget',
    credentials: 'account',
    pathParams: BudgetParamsSchema,
    versioned: true,
    message: 'Budget deleted',
    data: BudgetSchema,
    errors: [budgetNotFound],
    repeatable: false,
    changes: 'budgets',
  }),
} as const;
