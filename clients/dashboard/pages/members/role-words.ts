import type { Role } from '@tollfree/contract/access/role';

/** What a member may, as half a sentence. */
export const roleWords: { readonly [Name in Role]: string } = {
  owner: 'everything, members and the funding wallet included',
  manager: 'change settings, but neither members nor the funding wallet',
  viewer: 'look, and change nothing',
};
