import type { AccountsPolicy } from './accounts-policy.ts';
import type { KnownAccountsConfig, OperationGasCaps } from './known-accounts-config.ts';

/**
 * Highest gas limits of one sponsored operation when the operator does not say, in gas. An account that is not known may
 * do anything with its gas, so it gets less.
 */
export const defaultOperationGasCaps: Readonly<Record<AccountsPolicy, OperationGasCaps>> = {
  KNOWN: {
    call: 5_000_000n,
    verification: 1_000_000n,
    moduleVerification: 100_000n,
    deployment: 3_000_000n,
    preVerification: 200_000n,
  },
  ANY: {
    call: 1_000_000n,
    verification: 500_000n,
    moduleVerification: 500_000n,
    deployment: 1_500_000n,
    preVerification: 200_000n,
  },
};

/** The caps of a chain for one setting of the policy. */
export function operationGasCaps(config: KnownAccountsConfig | undefined, accounts: AccountsPolicy): OperationGasCaps {
  return { ...defaultOperationGasCaps[accounts], ...config?.gas?.[accounts] };
}
