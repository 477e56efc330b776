import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '@tollfree/contract/sign-in/session';
import { sessionKey } from './session.ts';

/** Someone else is signed in from now on, or no one: nothing that was read before is shown to him. */
export function changeSession(client: QueryClient, session: Session | null): void {
  client.setQueryData(sessionKey, session);
  const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0] };
  if (session === null) client.removeQueries(others);
  // What is on the page is read again, and not shown meanwhile.
  else void client.resetQueries(others);
}
