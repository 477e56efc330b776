import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Session } from '@tollfree/contract/sign-in/session';
import { TollfreeApiError } from '@tollfree/sdk';
import { routes } from './routes.ts';

export const sessionKey = ['session'] as const;

/** The current session; null if no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await routes.session.read({ headers: {} });
    } catch (error) {
      if (error instanceof TollfreeApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** Another user is signed in from now on, or none: nothing that was read before may be shown. */
export function changeSession(client: QueryClient, session: Session | null): void {
  client.setQueryData(sessionKey, session);
  const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0] };
  if (session === null) client.removeQueries(others);
  // The page's own data is read again, and not shown meanwhile.
  else void client.resetQueries(others);
}
