import type { Hex } from 'viem';
import type { AccountsPolicy } from './accounts-policy.ts';

/** Runtime code by its keccak-256, with the 32-byte words at the offsets `immutables` taken as zero. */
type KnownCodeConfig = { readonly codeHash: Hex; readonly immutables?: readonly number[] };

/** Code whose calls the decoder of this name and version reads (`smartAccountInfo`). */
type KnownAccountConfig = KnownCodeConfig & { readonly name: string; readonly version: string };

/** Highest gas limits of one operation. */
type OperationGasCaps = {
  readonly call: bigint;
  /** Of an operation whose account is there already. */
  readonly verification: bigint;
  /** The same for an account that may run modules of its owner's, where no bundlers are named. Making one may take more. */
  readonly moduleVerification: bigint;
  /** The verification limit of an operation that deploys its account. */
  readonly deployment: bigint;
  /** Of `preVerificationGas`, without what a layer 2 charges for data. */
  readonly preVerification: bigint;
};

/** Which code of accounts an operator knows next to the published kinds. All optional. */
export type KnownAccountsConfig = {
  /** Code that runs: behind a proxy, by delegation, or as the account itself. */
  readonly implementations?: readonly KnownAccountConfig[];
  /** Code that only delegates to the address in a slot: the one of EIP-1967 when none is named. */
  readonly proxies?: readonly (KnownCodeConfig & { readonly slot?: Hex })[];
  /** Factories that make accounts of known code and do nothing else: the operator answers for it. */
  readonly factories?: readonly KnownAccountConfig[];
  /** The defaults of `core/domain/known-accounts-config.ts` when absent. */
  readonly gas?: Readonly<Partial<Record<AccountsPolicy, Partial<OperationGasCaps>>>>;
};

/**
 * Highest gas limits of one sponsored operation when the operator does not say, in gas. An account that is not known may
 * do anything with its gas, so it gets less.
 */
const defaultOperationGasCaps: Readonly<Record<AccountsPolicy, OperationGasCaps>> = {
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
