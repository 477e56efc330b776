import type { BudgetTerms } from '@tollfree/contract/budgets/budget';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { BudgetParameters } from './budget-parameters.ts';

/** What is sent of a budget. */
export function budgetBody({ name, maxUsd, window, paymasterIds }: BudgetParameters): BudgetTerms {
  return { name, maxUsd, window, ...omitAbsent({ paymasterIds: paymasterIds && [...paymasterIds] }) };
}
