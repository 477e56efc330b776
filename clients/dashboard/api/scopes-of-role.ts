import type { Role } from '@tollfree/contract/access/role';
import type { Scope } from '@tollfree/contract/access/scope';

/** A role's scopes, only for display: the service decides. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};
