import type { Hex } from 'viem';
import type { AbiFunction } from './parse-abi.ts';

/** The state-changing functions of a contract in the order of its ABI, and their selectors. */
export type ContractMethods = { readonly methods: readonly AbiFunction[]; readonly selectors: ReadonlySet<Hex> };

export function toContractMethods(methods: readonly AbiFunction[]): ContractMethods {
  return { methods, selectors: new Set(methods.map(({ selector }) => selector)) };
}
