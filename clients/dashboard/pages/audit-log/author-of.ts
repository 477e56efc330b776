import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import type { AuthTokenItem } from '@tollfree/contract/sign-in/auth-token';

/** Authors without a credential of the account, in words. */
export const authorWords = {
  visitor: 'A user who signed in',
  operator: 'The operator',
  peer: 'A program of the operator',
  service: 'The service itself',
} as const;

/** Who made a change, in words, with the authToken by its name where it is known. */
export function authorOf(
  { author, credentialId, wallet }: Pick<AuditLogItem, 'author' | 'credentialId' | 'wallet'>,
  tokens: readonly AuthTokenItem[],
): string {
  if (author === 'auth-token') {
    const token = tokens.find(({ authTokenId }) => authTokenId === credentialId);
    return `The authToken “${token?.name ?? credentialId}”`;
  }
  if (author === 'session') return wallet === undefined ? 'A user signed in here' : `The wallet ${wallet}`;
  return authorWords[author];
}
