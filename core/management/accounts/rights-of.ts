import { type Role, scopesOfRole } from '../../domain/access/role.ts';
import type { Scope } from '../../domain/access/scope.ts';
import { readScopeText } from './scope-text.ts';

/** What an authToken or a session is known by. `member`: the wallet that signed in, or that made the authToken. */
export type Shown = {
  /** Of the authToken, also of the one that a session began with; null of a wallet's session. */
  readonly scopes: string | null;
  readonly member: string | null;
  /** Of the member in the account now; null where the wallet is none, or there is no wallet. */
  readonly role: Role | null;
};

/**
 * What an authToken or a session may: of a member what its role is good for, of an authToken its own scopes, and of one that a
 * member made no more than both. Nothing where there is no such member: then it is not accepted.
 */
export function rightsOf({ scopes, member, role }: Shown): readonly Scope[] | undefined {
  if (member === null) return scopes === null ? undefined : readScopeText(scopes);
  if (role === null) return undefined;
  const own = scopesOfRole[role];
  return scopes === null ? own : readScopeText(scopes).filter((scope) => own.includes(scope));
}
