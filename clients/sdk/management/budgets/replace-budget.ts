import type { BudgetItem } from '@tollfree/contract/budgets/budget';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import { budgetBody } from './budget-body.ts';
import type { BudgetParameters } from './budget-parameters.ts';

export type ReplaceBudgetParameters = BudgetParameters & {
  /** As `listBudgets` gives it. */
  readonly budgetId: string;
};

/** Replaces all that is said of a budget; what is used stays used. */
export async function replaceBudget(
  client: ManagementConnection,
  parameters: ReplaceBudgetParameters,
): Promise<BudgetItem> {
  const { budgetId, ...terms } = parameters;
  const body = budgetBody(terms);
  return successBody(await routesOf(client).budget.replace({ params: { budgetId }, body })).data;
}
