import { type Role, type Scope, scopes, scopesOfRole } from '../../domain/access/actor.ts';

/** The credential of a caller. `member`: the wallet that signed in, or that created the authToken. */
export type Shown = {
  /** Of the authToken, including one that a session began with; null for a wallet's session. */
  readonly scopes: string | null;
  readonly member: string | null;
  /** The member's current role in the account; null if the wallet is not a member, or there is no wallet. */
  readonly role: Role | null;
};

/**
 * The scopes of an authToken or a session: for a member those of its role, for an authToken its own, and for an authToken
 * created by a member only those in both. Undefined if the member no longer exists: then the credential is invalid.
 */
export function rightsOf({ scopes, member, role }: Shown): readonly Scope[] | undefined {
  if (member === null) return scopes === null ? undefined : readScopeText(scopes);
  if (role === null) return undefined;
  const own = scopesOfRole[role];
  return scopes === null ? own : readScopeText(scopes).filter((scope) => own.includes(scope));
}

/** Scopes as they are stored. */
export function scopeText(some: readonly Scope[]): string {
  return scopes.filter((scope) => some.includes(scope)).join(' ');
}

/** Stored scopes. An unknown word grants nothing. */
export function readScopeText(text: string): readonly Scope[] {
  const words = text.split(' ');
  return scopes.filter((scope) => words.includes(scope));
}
