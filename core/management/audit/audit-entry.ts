/** Most severe first. `none`: nothing to do, but it says who can do what. */
export const auditRisks = ['high', 'medium', 'low', 'none'] as const;

/** Someone or something with a right, and remarks on it. No secret, nor a digest of one. */
export type AuditEntry = {
  readonly risk: (typeof auditRisks)[number];
  readonly kind:
    | 'account'
    | 'member'
    | 'authToken'
    | 'session'
    | 'apiKey'
    | 'policy'
    | 'webhook'
    | 'fundingWallet'
    | 'signer';
  /**
   * The id of the account, authToken, session, apiKey or named policy; a member's wallet; the paymaster of a default policy
   * or funding wallet; or an address.
   */
  readonly id: string;
  readonly accountId?: string;
  readonly paymasterId?: string;
  /** The name chosen by its holder: of the account, the authToken or the paymaster. */
  readonly name?: string;
  readonly what: string;
};

/** A Unix time in seconds, formatted for an audit. */
export function auditTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}
