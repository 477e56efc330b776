import { useQuery } from '@tanstack/react-query';
import type { Scope } from '@tollfree/contract/access/scope';
import type { Session } from '@tollfree/contract/sign-in/session';
import { sessionQuery } from './session.ts';

/** {@link whyNot} of the signed-in user. */
export function useWhyNot(needed: readonly Scope[] = []): string | undefined {
  const { data: session } = useQuery(sessionQuery);
  return whyNot(session, needed);
}

/** Why a session lacks these scopes, in a sentence; undefined if it has them. */
export function whyNot(
  session: Pick<Session, 'scopes' | 'role'> | null | undefined,
  needed: readonly Scope[],
): string | undefined {
  const missing = needed.find((scope) => session && !session.scopes.includes(scope));
  if (!session || missing === undefined) return undefined;
  if (session.role === undefined) return `Your authToken lacks the scope ${missing}.`;
  return missing === 'funds' ? 'Only an owner can do this.' : 'Viewers can read but not change anything.';
}
