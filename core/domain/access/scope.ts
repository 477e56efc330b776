import { type Role, roles } from '@tollfree/contract/access/role';
import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { accept, invalidField, type Result, refuse } from '../result/result.ts';

/**
 * A member's role: an `owner` may do everything, including managing members; a `manager` may change settings; a `viewer` may
 * only read.
 */
export { type Role, roles };

/** The scopes of a role, which also limit the authTokens that the member creates. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};

/** A role from input. */
export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text);
}

/**
 * What an authToken or a session may do: `read` reads, `manage` changes settings, `funds` moves money or determines who may.
 * Managing members requires all three.
 */
export { type Scope, scopes };

/**
 * Requested scopes, without duplicates and in the order of the list. `INVALID_FIELD` for an empty list and for unknown
 * scopes.
 */
export function checkScopes(wanted: readonly string[]): Result<readonly Scope[]> {
  const known = scopes.filter((scope) => wanted.includes(scope));
  const isWhole = known.length > 0 && known.length === wanted.length;
  return isWhole ? accept(known) : invalidField('scopes', `must be one or more of ${scopes.join(', ')}, each once`);
}

/** `SCOPE_MISSING` for the first of the required scopes that is missing. */
export function refuseMissingScope(
  needed: readonly Scope[],
  present: readonly Scope[],
): ReturnType<typeof refuse> | undefined {
  const scope = needed.find((one) => !present.includes(one));
  if (scope === undefined) return undefined;
  return refuse({ reason: 'SCOPE_MISSING', message: `The scope ${scope} is missing`, details: { scope } });
}
