import type { Hex } from 'viem';
import type { Policy } from './policy.ts';
import type { UnitPrices } from './unit-prices.ts';

/** Runtime code by its keccak-256, with the 32-byte words at the offsets `immutables` set to zero. */
type KnownCodeConfig = { readonly codeHash: Hex; readonly immutables?: readonly number[] };

/** Code whose calls the decoder with this name and version reads (`smartAccountInfo`). */
type KnownAccountConfig = KnownCodeConfig & { readonly name: string; readonly version: string };

/** Highest gas limits of one operation. */
type OperationGasCaps = {
  readonly call: bigint;
  /** For an operation whose account already exists. */
  readonly verification: bigint;
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
  /** Contracts that a known factory may call while it creates an account, such as Biconomy's modules. */
  readonly helpers?: readonly KnownCodeConfig[];
  /** The defaults of `core/domain/known-accounts-config.ts` when absent. */
  readonly gas?: Readonly<Partial<Record<Policy['accounts'], Partial<OperationGasCaps>>>>;
};

/**
 * Default gas caps of one sponsored operation, in gas: round numbers at mainnet's prices, with room for a number of new slots,
 * and for the proxy of a new account. An unknown account may use its gas for anything, so it gets less.
 */
function defaultOperationGasCaps(
  { newSlot, newAccount, codeByte }: UnitPrices,
  accounts: Policy['accounts'],
): OperationGasCaps {
  if (accounts === 'ANY') {
    return {
      call: 10n * newSlot + 779_000n,
      verification: 10n * newSlot + 279_000n,
      deployment: 10n * newSlot + newAccount + 1_000n * codeByte + 1_054_000n,
      preVerification: 200_000n,
    };
  }
  return {
    call: 50n * newSlot + 3_895_000n,
    verification: 20n * newSlot + 558_000n,
    deployment: 20n * newSlot + 2n * newAccount + 1_000n * codeByte + 2_308_000n,
    preVerification: 200_000n,
  };
}

/** The caps of a chain with these prices for one policy setting. The operator's own numbers count as they are. */
export function operationGasCaps(
  config: KnownAccountsConfig | undefined,
  accounts: Policy['accounts'],
  prices: UnitPrices,
): OperationGasCaps {
  return { ...defaultOperationGasCaps(prices, accounts), ...config?.gas?.[accounts] };
}
