import { type Role, roles } from '@tollfree/contract/access/role';
import type { Scope } from './scope.ts';

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
