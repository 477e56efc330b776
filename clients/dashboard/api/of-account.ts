import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The account's paymasters, with their apiKeys. */
export const paymastersQuery = queryOptions({
  queryKey: ['paymasters'],
  queryFn: () => dataOf(routes.paymaster.list({ headers: {} })),
});

/** The accounts that the wallet of the session is a member of; none where an authToken has signed in. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => dataOf(routes.session.listAccounts({ headers: {} })),
});

/** The account's authTokens, without the tokens themselves. */
export const authTokensQuery = queryOptions({
  queryKey: ['auth-tokens'],
  queryFn: () => dataOf(routes.authToken.list({ headers: {} })),
});

/** The account's budgets, and what is used of each. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: () => dataOf(routes.budget.list({ headers: {} })),
});

/** What the service serves; it changes with a restart alone. */
export const chainsQuery = queryOptions({
  queryKey: ['chains'],
  staleTime: 600_000,
  queryFn: () => dataOf(routes.paymaster.listChains({ headers: {} })),
});

/** The wallets that sign in to the account, each in its role. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => dataOf(routes.member.list({ headers: {} })),
});

/** The state of the whole service. Only its operator gets it. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () => dataOf(routes.operator.read({ headers: {} })),
});

/** The account's sessions that have not ended: always as they are now, since others begin and end them elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: () => dataOf(routes.session.list({ headers: {} })),
});
