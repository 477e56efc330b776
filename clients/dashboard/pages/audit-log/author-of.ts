import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import type { AuthTokenItem } from '@tollfree/contract/sign-in/auth-token';

/** Labels of authors without a credential of the account. */
export const authorLabels = {
  visitor: 'A user who signed in',
  operator: 'The operator',
  peer: 'A program of the operator',
  service: 'The service itself',
} as const;

/** Who made a change, in words, with the authToken's name if known. */
export function authorOf(
  { author, credentialId, wallet, after }: Pick<AuditLogItem, 'author' | 'credentialId' | 'wallet' | 'after'>,
  tokens: readonly AuthTokenItem[],
): string {
  if (author === 'auth-token') {
    const token = tokens.find(({ authTokenId }) => authTokenId === credentialId);
    return `The authToken “${token?.name ?? credentialId}”`;
  }
  const signedIn = wallet ?? walletOfSession(after);
  if (signedIn !== undefined && (author === 'session' || author === 'visitor')) return `The wallet ${signedIn}`;
  return author === 'session' ? 'A user signed in here' : authorLabels[author];
}

/** The wallet of a session that began with the change. */
function walletOfSession(after: AuditLogItem['after']): string | undefined {
  const session = Object.entries(after).find(([object]) => object.startsWith('session '))?.[1];
  const wallet = session?.wallet;
  return typeof wallet === 'string' ? wallet : undefined;
}
