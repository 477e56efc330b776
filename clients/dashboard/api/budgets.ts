import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The account's budgets, and their use. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: () => dataOf(routes.budget.list({ headers: {} })),
});
