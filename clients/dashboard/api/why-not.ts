import type { Role } from '@tollfree/contract/access/role';
import type { Scope } from '@tollfree/contract/access/scope';
import type { Session } from '@tollfree/contract/sign-in/session';

/** What a member may. The service decides; this is for what is shown before it is asked. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};

/** Why a session may not do what these scopes are needed for, in a sentence; undefined where it may. */
export function whyNot(
  session: Pick<Session, 'scopes' | 'role'> | null | undefined,
  needed: readonly Scope[],
): string | undefined {
  const missing = needed.find((scope) => session && !session.scopes.includes(scope));
  if (!session || missing === undefined) return undefined;
  if (session.role === undefined) return `Your authToken lacks the scope ${missing}.`;
  return missing === 'funds' ? 'Only an owner can do this.' : 'Viewers can read but not change anything.';
}
