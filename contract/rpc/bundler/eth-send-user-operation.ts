import { z } from 'zod';
import { BundledOperationParamsSchema } from './bundled-operation.ts';

export const EthSendUserOperationResultSchema = z.string().describe('The userOpHash of the operation.');

/** Sends an operation to the bundler of the chain (ERC-7769). What follows the two params is ignored. */
export const ethSendUserOperation = {
  method: 'eth_sendUserOperation',
  params: BundledOperationParamsSchema,
  result: EthSendUserOperationResultSchema,
} as const;
