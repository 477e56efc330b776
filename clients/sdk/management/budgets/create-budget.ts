import type { BudgetItem } from '@tollfree/contract/budgets/budget';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import { budgetBody } from './budget-body.ts';
import type { BudgetParameters } from './budget-parameters.ts';

/**
 * Sets a budget, which paymasters of the account share on whichever chains. What they have sponsored in its first window counts.
 *
 * @example
 * await createBudget(client, { name: 'all we give away', maxUsd: '250.00', window: 'MONTH' });
 */
export async function createBudget(client: ManagementConnection, parameters: BudgetParameters): Promise<BudgetItem> {
  return successBody(await routesOf(client).budget.create({ body: budgetBody(parameters) })).data;
}
