import { z } from 'zod';
import { address, amount, chainId, fieldsOf, hex, listOf, message, seconds, text } from '../base/message-schema.ts';
import { operationStatuses, SettlementSchema } from './decision.ts';

/**
 * A step that an operation took. `at`: when the service recorded it, in Unix seconds; of a landing once it was
 * confirmed.
 */
const OperationStepSchema = message('OperationStep', {
  /** As `status` of a decision. */
  status: z.enum(operationStatuses),
  /** When the service recorded it; of a landing once it was confirmed. */
  at: seconds,
});
export type OperationStep = z.output<typeof OperationStepSchema>;

/** A user operation that was signed, from the signature to its end. Amounts in wei. */
export const OperationLifeSchema = message('OperationLife', {
  ...fieldsOf(SettlementSchema, 'held', 'charge', 'success', 'txHash', 'tokenPayment', 'unpaid'),
  /** The hash that the EntryPoint reports. */
  userOperationHash: hex,
  chainId,
  /** Address of the paymaster contract. */
  contract: address,
  sender: address,
  nonce: amount,
  /** As `status` of a decision. */
  status: z.enum(operationStatuses),
  /** In order of time. */
  steps: listOf(OperationStepSchema),
  /** Until when it can land. Absent: without an end. */
  validUntil: seconds.exactOptional(),
  blockNumber: amount.exactOptional(),
  /** Why the calls of a failed one reverted, as far as a node tells. */
  revertReason: text.exactOptional(),
  /** The operation that used its nonce, where an event tells. */
  replacedBy: hex.exactOptional(),
  /** The decisions about it, newest first. */
  decisionIds: listOf(text),
});
export type OperationLife = z.output<typeof OperationLifeSchema>;
