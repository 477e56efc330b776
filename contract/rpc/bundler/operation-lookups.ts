import { z } from 'zod';
import { OperationHashParamsSchema } from './bundled-operation.ts';

const found = z.looseObject({}).nullable();

/** What was sent, and where it is (ERC-7769). */
export const ethGetUserOperationByHash = {
  method: 'eth_getUserOperationByHash',
  params: OperationHashParamsSchema,
  result: found.describe('As the bundler answers it. `null` if it does not know the operation.'),
} as const;

/** The receipt of an operation (ERC-7769). */
export const ethGetUserOperationReceipt = {
  method: 'eth_getUserOperationReceipt',
  params: OperationHashParamsSchema,
  result: found.describe('As the bundler answers it. `null` until the operation is included.'),
} as const;

const status = z
  .enum(['not_found', 'not_submitted', 'submitted', 'included', 'failed', 'reverted', 'rejected'])
  .describe('Where the operation is.');
const transactionHash = z.string().nullable().describe('Of the transaction that carries it, if there is one.');

/** Where an operation is, in Pimlico's form. */
export const pimlicoGetUserOperationStatus = {
  method: 'pimlico_getUserOperationStatus',
  params: OperationHashParamsSchema,
  result: z.object({ status, transactionHash }),
} as const;

/** The same in Biconomy's form. */
export const biconomyGetUserOperationStatus = {
  method: 'biconomy_getUserOperationStatus',
  params: OperationHashParamsSchema,
  result: z.object({
    state: z.enum(['SUBMITTED', 'CONFIRMED', 'REJECTED']).describe('Where the operation is.'),
    transactionHash: transactionHash.optional(),
  }),
} as const;
