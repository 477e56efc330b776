import { smartContractOperations as api } from '@tollfree/contract/smart-contract';
import { request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { FetchedAbiSchema, SmartContractPageSchema, SmartContractSchema } from '../smart-contract.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Contracts that a paymaster sponsors, with their ABIs and whitelisted methods. */
export const contractOperations = {
  /** Registers a contract whose calls may be sponsored. */
  registerSmartContract: {
    input: inputOf(api.register),
    value: SmartContractSchema,
  },
  /** As many contracts from `cursor` on as fit in a page, at least one: ABIs can be large. */
  listSmartContracts: { input: request({ ...owned, cursor: text.exactOptional() }), value: SmartContractPageSchema },
  /** Replaces the whitelist of a contract. */
  updateSmartContract: { input: inputOf(api.update), value: SmartContractSchema },
  /** Deletes a contract. */
  deleteSmartContract: { input: inputOf(api.delete), value: SmartContractSchema },
  /**
   * Reads a contract's ABI from the explorer of the paymaster's chain, without registering anything. `EXPLORER_NOT_SET_UP`;
   * `ABI_NOT_VERIFIED` if the explorer has none, `EXPLORER_UNAVAILABLE` if it does not answer properly.
   */
  fetchContractAbi: { input: inputOf(api.fetchAbi), value: FetchedAbiSchema },
} as const satisfies CoreMethods;
