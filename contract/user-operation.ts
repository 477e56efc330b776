import { z } from 'zod';
import { hashForm, SettlementSchema } from './decision-fields.ts';
import { managementErrors } from './errors.ts';
import { withForm } from './fields/form.ts';
import { address, chainId, decimalForm, hex, seconds, wei } from './fields/forms.ts';
import { readOperation } from './operation.ts';
import { operationStatuses } from './operation-status.ts';

const { charge, success, txHash, tokenPayment, unpaid } = SettlementSchema.shape;

export const UserOperationHashParamsSchema = z.object({
  userOperationHash: z
    .string()
    .regex(hashForm, { error: 'userOperationHash must be a user operation hash' })
    .describe('As the EntryPoint and bundlers report it (`userOpHash`).'),
});

export const OperationStepSchema = z.object({
  status: z.enum(operationStatuses),
  at: seconds.describe('Unix seconds at which the service recorded it. For landing: once the block was confirmed.'),
});

/** A user operation that the paymaster signed, from the signature to its end. */
export const OperationLifeSchema = z.object({
  userOperationHash: hex,
  chainId,
  contract: address.describe('The paymaster contract.'),
  sender: address,
  nonce: withForm(z.string(), decimalForm).describe('Decimal digits.'),
  status: z.enum(operationStatuses).describe('How far it came.'),
  steps: z
    .array(OperationStepSchema)
    .describe(
      'What happened to it, in order. `sent` is known only if the bundler was called through the paymaster URL.',
    ),
  validUntil: seconds.optional().describe('Unix seconds until which it can land. Absent: without an end.'),
  held: wei.describe('The maximum cost, in wei.'),
  charge,
  success,
  txHash,
  tokenPayment,
  unpaid,
  blockNumber: withForm(z.string(), decimalForm).optional().describe('The block that included it, as decimal digits.'),
  revertReason: z
    .string()
    .optional()
    .describe('Why the calls of a failed operation reverted. Absent if the node cannot tell.'),
  replacedBy: hex.optional().describe('Hash of the operation that used its nonce, if known.'),
  decisionIds: z.array(z.string()).describe('The decisions about it, newest first, at most 20.'),
});
export type OperationLifeItem = z.infer<typeof OperationLifeSchema>;

/** The life of user operations. */
export const userOperationOperations = {
  /**
   * The life of a user operation that the paymaster signed: its status, the time of each step, its cost, its transaction,
   * and why it failed. Throws with status 404 if the paymaster signed no operation with this hash.
   */
  read: readOperation('getOperation', {
    path: '/operation/:userOperationHash',
    summary: 'Read the status of a user operation by its hash',
    credentials: 'paymaster',
    pathParams: UserOperationHashParamsSchema,
    message: 'Operation fetched',
    data: OperationLifeSchema,
    errors: [managementErrors.operationNotFound],
  }),
} as const;
