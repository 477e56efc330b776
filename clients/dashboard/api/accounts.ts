import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The accounts that the session's wallet is a member of; none for an authToken session. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => dataOf(routes.session.listAccounts({ headers: {} })),
});
