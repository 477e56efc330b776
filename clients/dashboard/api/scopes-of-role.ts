import type { Role } from '@tollfree/contract/access/role';
import type { Scope } from '@tollfree/contract/access/scope';

/** What a member may. The service decides; this is for what is shown before it is asked. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};
