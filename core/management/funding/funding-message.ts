import { randomBytes } from 'node:crypto';

/** How long a funding message can be used, in seconds. */
export const fundingMessageLifetime = 15 * 60;

/** What a funding message binds its signature to. Times are Unix seconds; `nonce` is 64 hex digits. */
type FundingMessageFacts = {
  readonly paymasterId: string;
  readonly chainId: number;
  readonly chainName?: string;
  readonly nonce: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** 256 random bits as hex. */
export function generateFundingNonce(): string {
  return randomBytes(32).toString('hex');
}

/** The text that the future funding wallet signs. Its line breaks are single line feeds. */
export function formatFundingMessage(facts: FundingMessageFacts): string {
  const chain = facts.chainName === undefined ? `${facts.chainId}` : `${facts.chainName} (chain ID ${facts.chainId})`;
  return [
    'Tollfree: set the funding wallet of a paymaster',
    '',
    'By signing, the owner of this wallet agrees that it becomes the funding wallet of the paymaster below.',
    'Signing costs nothing and moves no funds. Deposits of an earlier funding wallet stay in its own gas tank, which',
    'pays for this paymaster again if that wallet is set again.',
    '',
    `Paymaster: ${facts.paymasterId}`,
    `Chain: ${chain}`,
    `Nonce: ${facts.nonce}`,
    `Issued at: ${formatTime(facts.createdAt)}`,
    `Valid until: ${formatTime(facts.expiresAt)}`,
  ].join('\n');
}

function formatTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString();
}
