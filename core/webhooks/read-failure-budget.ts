import type { Selectable } from 'kysely';
import type { FailureBudget } from '../domain/webhook.ts';
import type { Database } from '../store/database.ts';
import { fromWeiText } from '../store/wei/wei-text.ts';

/** How the budget of a webhook stands in the store. */
export type BudgetColumns = Pick<Selectable<Database['webhooks']>, 'failure_window' | 'failure_max'>;

/** The budget of a stored webhook; undefined where its failure refuses. */
export function readFailureBudget({
  failure_window: window,
  failure_max: max,
}: BudgetColumns): FailureBudget | undefined {
  return window === null || max === null ? undefined : { window, max: fromWeiText(max) };
}
