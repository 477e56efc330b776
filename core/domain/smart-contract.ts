import type { Address } from 'viem';

/** An ABI that an explorer has for a verified contract. */
export type FetchedAbi = {
  readonly address: Address;
  /** JSON text: of the implementation where the contract is a proxy. */
  readonly abi: string;
  /** What the proxy runs now (EIP-1967, or what the explorer says). Absent: it is no proxy that is known. */
  readonly implementation?: Address;
};

/** A page of a paymaster's contracts in the order they were registered; `nextCursor` where there are more. */
export type SmartContractPage = { readonly contracts: readonly SmartContract[]; readonly nextCursor?: string };

/**
 * A contract whose calls a paymaster may sponsor. `abi` is the JSON text as registered; `methods` are the names of its
 * state-changing functions; `whitelistedMethods` are names (all overloads) or full signatures (one overload).
 */
export type SmartContract = {
  readonly name: string;
  readonly address: Address;
  readonly abi: string;
  readonly whitelistedMethods: readonly string[];
  readonly methods: readonly string[];
  /**
   * After its registration or deletion: which rules of the policy on arguments do not fit it, so that none of its calls is
   * sponsored.
   */
  readonly brokenRules?: readonly string[];
};
