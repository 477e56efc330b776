import type { BudgetItem } from '@tollfree/contract/budgets/budget';
import type { ManagementConnection } from '../management-connection.ts';
import { successBody } from '../success-body.ts';
import { budgetBody } from './budget-body.ts';

/** What a budget is to be. */
export type BudgetParameters = {
  /** No two budgets of an account have the same. */
  readonly name: string;
  /** The most in each window, in USD with at most six decimals: `250.00`. */
  readonly maxUsd: string;
  /** Of the UTC calendar; weeks begin on Monday. */
  readonly window: BudgetItem['window'];
  /** The paymasters that share it. Absent: all of the account's, those to come too. */
  readonly paymasterIds?: readonly string[] | undefined;
};

/**
 * Sets a budget, which paymasters of the account share on whichever chains. What they have sponsored in its first window counts.
 *
 * @example
 * await createBudget(client, { name: 'all we give away', maxUsd: '250.00', window: 'MONTH' });
 */
export async function createBudget(client: ManagementConnection, parameters: BudgetParameters): Promise<BudgetItem> {
  return successBody(await client.routes.budget.create({ body: budgetBody(parameters) })).data;
}
