import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The account's paymasters, with their apiKeys. */
export const paymastersQuery = queryOptions({
  queryKey: ['paymasters'],
  queryFn: () => dataOf(routes.paymaster.list({ headers: {} })),
});
