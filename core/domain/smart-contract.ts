import type { z } from 'zod';
import { address, filledListOf, listOf, message, text } from '../base/message-schema.ts';

/** An ABI that an explorer has for a verified contract. */
export const FetchedAbiSchema = message('FetchedAbi', {
  /** Checksummed address of the contract. */
  address,
  /** JSON text; that of the implementation if the contract is a proxy. */
  abi: text,
  /** The proxy's current target (EIP-1967, or from the explorer). Absent: it is not a known kind of proxy. */
  implementation: address.exactOptional(),
});

/**
 * A contract whose calls a paymaster may sponsor. `abi` is the JSON text as registered; `methods` are the names of its
 * state-changing functions; `whitelistedMethods` are names (all overloads) or full signatures (one overload).
 */
export const SmartContractSchema = message('SmartContract', {
  name: text,
  /** Checksummed; unique per paymaster. */
  address,
  /** JSON text as it was registered. */
  abi: text,
  /** Function names (all overloads) or full signatures (one overload) whose calls are sponsored. */
  whitelistedMethods: listOf(text),
  /** Names of the state-changing functions of the ABI. */
  methods: listOf(text),
  /**
   * After its registration or deletion: rules of the policy on arguments that no longer match it, so that none of its calls
   * is sponsored.
   */
  brokenRules: filledListOf(text),
});
export type SmartContract = z.output<typeof SmartContractSchema>;

/** A page of a paymaster's contracts in the order they were registered; `nextCursor` if there are more. */
export const SmartContractPageSchema = message('SmartContractList', {
  contracts: listOf(SmartContractSchema),
  /** The cursor of the next page. Absent: there are no more. */
  nextCursor: text.exactOptional(),
});
export type SmartContractPage = z.output<typeof SmartContractPageSchema>;
