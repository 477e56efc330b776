/** The gravest first. `none`: nothing to do, but it says who can do what. */
export const auditRisks = ['high', 'medium', 'low', 'none'] as const;

/** Someone or something that can do something, and what there is to be said of it. No secret, nor a digest of one. */
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
   * Of the account, authToken, session or apiKey, of a member the wallet, of a named policy, of the paymaster of a
   * default policy or funding wallet, or an address.
   */
  readonly id: string;
  readonly accountId?: string;
  readonly paymasterId?: string;
  /** As its holder has named it: of the account, the authToken or the paymaster. */
  readonly name?: string;
  readonly what: string;
};
