import { useQuery } from '@tanstack/react-query';
import type { Scope } from '@tollfree/contract/access/scope';
import { sessionQuery } from './session.ts';
import { whyNot } from './why-not.ts';

/** {@link whyNot} of the signed-in user. */
export function useWhyNot(needed: readonly Scope[] = []): string | undefined {
  const { data: session } = useQuery(sessionQuery);
  return whyNot(session, needed);
}
