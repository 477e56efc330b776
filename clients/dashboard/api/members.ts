import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The wallets that sign in to the account, each in its role. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => dataOf(routes.member.list({ headers: {} })),
});
