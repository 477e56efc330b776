import { type Role, roles } from '@tollfree/contract/access/role';
import type { Scope } from './scope.ts';

/**
 * What a member of an account is: an `owner` may everything, members included, a `manager` what can be set, a `viewer`
 * looks.
 */
export { type Role, roles };

/** What a member may, and at most what an authToken may that he made. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};

/** A role that someone wrote. */
export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text);
}
