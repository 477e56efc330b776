import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The account's sessions that have not ended: always as they are now, since others begin and end them elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: () => dataOf(routes.session.list({ headers: {} })),
});
