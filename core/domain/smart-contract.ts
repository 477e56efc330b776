import * as api from '@tollfree/contract/smart-contract';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { filledListOf, listOf, message, text, trueOrAbsent } from '../base/message-schema.ts';

/** An ABI that an explorer has for a verified contract. */
export const FetchedAbiSchema = message('FetchedAbi', fieldsOfApi(api.FetchedAbiSchema));

/**
 * A contract whose calls a paymaster may sponsor. `abi` is the JSON text as registered; `methods` are the names of its
 * state-changing functions; `whitelistedMethods` are names (all overloads) or full signatures (one overload).
 */
export const SmartContractSchema = message('SmartContract', {
  ...fieldsOfApi(api.SmartContractSchema),
  /**
   * After its registration or deletion: rules of the policy on arguments that no longer match it, so that none of its calls
   * is sponsored.
   */
  brokenRules: filledListOf(text),
  /** After its registration: the chain has no code at its address. Absent: it has, or no node said so in time. */
  hasNoCode: trueOrAbsent,
});
export type SmartContract = z.output<typeof SmartContractSchema>;

/** A page of a paymaster's contracts in the order they were registered; `nextCursor` if there are more. */
export const SmartContractPageSchema = message('SmartContractList', {
  contracts: listOf(SmartContractSchema),
  /** The cursor of the next page. Absent: there are no more. */
  nextCursor: text.exactOptional(),
});
export type SmartContractPage = z.output<typeof SmartContractPageSchema>;
