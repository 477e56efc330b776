import type { Policy } from '../policy.ts';

/** What a named policy is called, and whether requests may choose it. Its texts are shown to users. */
export type PolicyHead = {
  /** Unique per paymaster. */
  readonly name: string;
  readonly description?: string;
  /** Who sponsors; the paymaster's name stands for it when absent. */
  readonly author?: string;
  /** A picture as a data URI (RFC 2397), as ERC-7677 wants it. */
  readonly icon?: string;
  readonly enabled: boolean;
};

/** A page of the named policies of a paymaster, by name; `nextCursor` where there are more. */
export type NamedPolicyPage = { readonly policies: readonly NamedPolicy[]; readonly nextCursor?: string };

/** A policy next to the default one of a paymaster: a request chooses it by its id. Times are Unix seconds. */
export type NamedPolicy = PolicyHead & {
  readonly policyId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly policy: Policy;
};
