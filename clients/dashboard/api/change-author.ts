import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import type { MemberItem } from '@tollfree/contract/access/member';
import type { AuthTokenItem } from '@tollfree/contract/sign-in/auth-token';

/** Labels of authors without a credential of the account. */
export const authorLabels = {
  visitor: 'A user who signed in',
  operator: 'The operator',
  peer: 'A program of the operator',
  service: 'The service itself',
} as const;

/** What changes are attributed to: the account's authTokens and members, as far as they were read. */
export type KnownAuthors = { readonly tokens: readonly AuthTokenItem[]; readonly members: readonly MemberItem[] };

/** Who made a change, in words, with the name of the authToken or member if known. */
export function authorOf(
  { author, credentialId, wallet, after }: Pick<AuditLogItem, 'author' | 'credentialId' | 'wallet' | 'after'>,
  { tokens, members }: KnownAuthors,
): string {
  if (author === 'auth-token') return tokenLabel(credentialId, tokens);
  // A session that began with the change.
  const session = Object.entries(after).find(([object]) => object.startsWith('session '))?.[1];
  const signedIn = wallet ?? session?.wallet;
  if (author === 'session' || author === 'visitor') {
    if (typeof signedIn === 'string') {
      const name = members.find((member) => member.wallet === signedIn)?.name;
      return name === undefined ? `The wallet ${signedIn}` : `${name}, the wallet ${signedIn}`;
    }
    if (typeof session?.auth_token_id === 'string') return tokenLabel(session.auth_token_id, tokens);
  }
  return author === 'session' ? 'A user signed in here' : authorLabels[author];
}

function tokenLabel(id: string | undefined, tokens: readonly AuthTokenItem[]): string {
  return `The authToken “${tokens.find(({ authTokenId }) => authTokenId === id)?.name ?? id}”`;
}
