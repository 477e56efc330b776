import { listOf, optionalListOf, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { FetchedAbiSchema, SmartContractPageSchema, SmartContractSchema } from '../smart-contract.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Contracts that a paymaster sponsors, with their ABIs and whitelisted methods. */
export const contractOperations = {
  /** Registers a contract whose calls may be sponsored. */
  registerSmartContract: {
    input: request({
      ...owned,
      name: text,
      address: text,
      abi: text,
      /** Function names or full signatures. Absent: none is whitelisted. */
      whitelistedMethods: optionalListOf(text),
    }),
    value: SmartContractSchema,
  },
  /** As many contracts from `cursor` on as fit in a page, at least one: ABIs can be large. */
  listSmartContracts: { input: request({ ...owned, cursor: text.exactOptional() }), value: SmartContractPageSchema },
  /** Replaces the whitelist of a contract. */
  updateSmartContract: {
    input: request({ ...owned, address: text, whitelistedMethods: listOf(text) }),
    value: SmartContractSchema,
  },
  /** Deletes a contract. */
  deleteSmartContract: { input: request({ ...owned, address: text }), value: SmartContractSchema },
  /**
   * Reads a contract's ABI from the explorer of the paymaster's chain, without registering anything. `EXPLORER_NOT_SET_UP`;
   * `ABI_NOT_VERIFIED` if the explorer has none, `EXPLORER_UNAVAILABLE` if it does not answer properly.
   */
  fetchContractAbi: { input: request({ ...owned, address: text }), value: FetchedAbiSchema },
} as const satisfies CoreMethods;
export type ContractOperations = OperationsOf<typeof contractOperations>;
