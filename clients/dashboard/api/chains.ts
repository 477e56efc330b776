import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The served chains, which only change with a restart. */
export const chainsQuery = queryOptions({
  queryKey: ['chains'],
  staleTime: 600_000,
  queryFn: () => dataOf(routes.paymaster.listChains({ headers: {} })),
});
