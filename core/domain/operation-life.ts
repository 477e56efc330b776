import { z } from 'zod';
import { address, amount, chainId, fieldsOf, hex, listOf, message, seconds, text } from '../base/message-schema.ts';
import { operationStatuses, SettlementSchema } from './decision.ts';

/**
 * A step in an operation's life. `at`: when the service recorded it, in Unix seconds; for a landing once it was confirmed.
 */
const OperationStepSchema = message('OperationStep', {
  /** As `status` of a decision. */
  status: z.enum(operationStatuses),
  /** When the service recorded it; for a landing once it was confirmed. */
  at: seconds,
});
export type OperationStep = z.output<typeof OperationStepSchema>;

/** A signed user operation, from the signature to its end. Amounts in wei. */
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
  /** In chronological order. */
  steps: listOf(OperationStepSchema),
  /** Latest time at which it can land. Absent: no limit. */
  validUntil: seconds.exactOptional(),
  blockNumber: amount.exactOptional(),
  /** Why the calls of a failed operation reverted, if a node reports it. */
  revertReason: text.exactOptional(),
  /** The operation that used its nonce, if an event reports it. */
  replacedBy: hex.exactOptional(),
  /** The decisions about it, newest first. */
  decisionIds: listOf(text),
});
export type OperationLife = z.output<typeof OperationLifeSchema>;
