import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** What the service serves; it changes with a restart alone. */
export const chainsQuery = queryOptions({
  queryKey: ['chains'],
  staleTime: 600_000,
  queryFn: () => dataOf(routes.paymaster.listChains({ headers: {} })),
});
