import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type DeleteBudgetParameters = {
  /** As `listBudgets` gives it. */
  readonly budgetId: string;
};

/** Ends a budget. One of the same terms that is created afterwards has used as much. */
export async function deleteBudget(client: ManagementConnection, parameters: DeleteBudgetParameters): Promise<void> {
  successBody(await routesOf(client).budget.delete({ params: { budgetId: parameters.budgetId } }));
}
