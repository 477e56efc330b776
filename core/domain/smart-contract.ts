import type { Address } from 'viem';

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
};
