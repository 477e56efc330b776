import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Session } from '@tollfree/contract/sign-in/session';
import { TollfreeApiError } from '@tollfree/sdk';
import { forgetDrafts } from './kept-drafts.ts';
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

/** Another account is signed in from now on: nothing that was read before may be shown. */
export function changeSession(client: QueryClient, session: Session): void {
  client.setQueryData(sessionKey, session);
  // The page's own data is read again, and not shown meanwhile.
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Begins the page again, without anything that was read or typed. */
export function beginAgain(): void {
  forgetDrafts();
  window.location.reload();
}

/** Whether a session continues an earlier one: the same user in the same account. */
export function isSameUser(one: Session, other: Session | undefined): boolean {
  return one.accountId === other?.accountId && one.wallet === other.wallet && one.authTokenId === other.authTokenId;
}
