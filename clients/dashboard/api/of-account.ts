import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OverviewPage } from '@tollfree/contract/overview';
import { routes } from './routes.ts';

/** The account's paymasters, with their apiKeys. */
export const paymastersQuery = queryOptions({
  queryKey: ['paymasters'],
  queryFn: () => routes.paymaster.list({ headers: {} }),
});

/** The accounts that the session's wallet is a member of; none for an authToken session. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => routes.session.listAccounts({ headers: {} }),
});

/** The account's authTokens, without the tokens themselves. */
export const authTokensQuery = queryOptions({
  queryKey: ['auth-tokens'],
  queryFn: () => routes.authToken.list({ headers: {} }),
});

/** The account's budgets, and their use. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: () => routes.budget.list({ headers: {} }),
});

/** Most paymasters in the overview; others are on their own pages. */
const mostPages = 4;

/** What all paymasters did, and what their tanks have. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async (): Promise<OverviewPage> => {
    const page = await routes.overview.read({ headers: {}, query: {} });
    let { nextCursor } = page;
    for (let read = 1; read < mostPages && nextCursor !== undefined; read += 1) {
      const next: OverviewPage = await routes.overview.read({ headers: {}, query: { cursor: nextCursor } });
      page.paymasters.push(...next.paymasters);
      page.recent.push(...next.recent);
      nextCursor = next.nextCursor;
    }
    return page;
  },
});

/** The statements of all paymasters for a month, a page at a time. */
export function accountStatementQuery(month: string) {
  return infiniteQueryOptions({
    queryKey: ['account-statement', month],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => routes.gasTank.readAccountStatement({ headers: {}, query: { month, cursor } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The served chains, which only change with a restart. */
export const chainsQuery = queryOptions({
  queryKey: ['chains'],
  staleTime: 600_000,
  queryFn: () => routes.paymaster.listChains({ headers: {} }),
});

/** The wallets that sign in to the account, each in its role. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => routes.member.list({ headers: {} }),
});

/** The state of the whole service. Only its operator gets it. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () => routes.operator.read({ headers: {} }),
});

/** The account's active sessions, always current, since others start and end elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: () => routes.session.list({ headers: {} }),
});
