import type { Hex } from 'viem';
import type { Policy } from './policy.ts';

/** Runtime code by its keccak-256, with the 32-byte words at the offsets `immutables` set to zero. */
type KnownCodeConfig = { readonly codeHash: Hex; readonly immutables?: readonly number[] };

/** Code whose calls the decoder with this name and version reads (`smartAccountInfo`). */
type KnownAccountConfig = KnownCodeConfig & { readonly name: string; readonly version: string };

/** Highest gas limits of one operation. */
type OperationGasCaps = {
  readonly call: bigint;
  /** For an operation whose account already exists. */
  readonly verification: bigint;
  /** The same for an account that may run modules of its owner, if no bundlers are named. Creating one may use more. */
  readonly moduleVerification: bigint;
  /** The verification limit of an operation that deploys its account. */
  readonly deployment: bigint;
  /** For `preVerificationGas`, excluding the data fee of a layer 2. */
  readonly preVerification: bigint;
};

/** Account code that an operator adds to the published kinds. All optional. */
export type KnownAccountsConfig = {
  /** Code that runs: behind a proxy, by delegation, or as the account itself. */
  readonly implementations?: readonly KnownAccountConfig[];
  /** Code that only delegates to the address in a slot: the EIP-1967 slot when none is given. */
  readonly proxies?: readonly (KnownCodeConfig & { readonly slot?: Hex })[];
  /** Factories that only create accounts of known code: the operator vouches for that. */
  readonly factories?: readonly KnownAccountConfig[];
  /** The defaults of `core/domain/known-accounts-config.ts` when absent. */
  readonly gas?: Readonly<Partial<Record<Policy['accounts'], Partial<OperationGasCaps>>>>;
};

/** Default gas caps of one sponsored operation, in gas. An unknown account may use its gas for anything, so it gets less. */
const defaultOperationGasCaps: Readonly<Record<Policy['accounts'], OperationGasCaps>> = {
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

/** The caps of a chain for one policy setting. */
export function operationGasCaps(
  config: KnownAccountsConfig | undefined,
  accounts: Policy['accounts'],
): OperationGasCaps {
  return { ...defaultOperationGasCaps[accounts], ...config?.gas?.[accounts] };
}
