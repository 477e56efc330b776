import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The accounts that the wallet of the session is a member of; none where an authToken has signed in. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => dataOf(routes.session.listAccounts({ headers: {} })),
});
