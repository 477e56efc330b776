import type { BudgetItem } from '@tollfree/contract/budgets/budget';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The account's budgets in the order of their names, and what is used of each in its window. */
export async function listBudgets(client: ManagementConnection): Promise<readonly BudgetItem[]> {
  return successBody(await routesOf(client).budget.list()).data;
}
