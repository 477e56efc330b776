import type { Role } from '@tollfree/contract/access/role';

/** What a role allows, as half a sentence. */
export const roleLabels: { readonly [Name in Role]: string } = {
  owner: 'everything, including members and the funding wallet',
  manager: 'change settings, except members and the funding wallet',
  viewer: 'read only',
};
