import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '@tollfree/contract/sign-in/session';
import { sessionKey } from './session.ts';

/** Another user is signed in from now on, or none: nothing that was read before may be shown. */
export function changeSession(client: QueryClient, session: Session | null): void {
  client.setQueryData(sessionKey, session);
  const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0] };
  if (session === null) client.removeQueries(others);
  // The page's own data is read again, and not shown meanwhile.
  else void client.resetQueries(others);
}
