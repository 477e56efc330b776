import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The account's authTokens, without the tokens themselves. */
export const authTokensQuery = queryOptions({
  queryKey: ['auth-tokens'],
  queryFn: () => dataOf(routes.authToken.list({ headers: {} })),
});
