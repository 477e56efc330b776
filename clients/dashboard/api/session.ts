import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Role } from '@tollfree/contract/access/role';
import type { Scope } from '@tollfree/contract/access/scope';
import type { Session } from '@tollfree/contract/sign-in/session';
import { TollfreeApiError } from '@tollfree/sdk';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

export const sessionKey = ['session'] as const;

/** Who is signed in; null for no one. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await dataOf(routes.session.read({ headers: {} }));
    } catch (error) {
      if (error instanceof TollfreeApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** Someone else is signed in from now on, or no one: nothing that was read before is shown to him. */
export function changeSession(client: QueryClient, session: Session | null): void {
  client.setQueryData(sessionKey, session);
  const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0] };
  if (session === null) client.removeQueries(others);
  // What is on the page is read again, and not shown meanwhile.
  else void client.resetQueries(others);
}

/** What a member may. The service decides; this is for what is shown before it is asked. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};
