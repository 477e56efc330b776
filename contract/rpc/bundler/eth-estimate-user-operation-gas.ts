import { z } from 'zod';
import { maxStateOverrideBytes } from '../../limits.ts';
import { EntryPointParamSchema } from '../chain-reference.ts';
import { BundledUserOperationSchema } from '../user-operation.ts';

const stateOverride = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .nullish()
  .describe(`State to estimate with, by address, at most ${maxStateOverrideBytes} bytes. Passed on to the bundler.`);

export const EthEstimateUserOperationGasParamsSchema = z.tuple(
  [BundledUserOperationSchema, EntryPointParamSchema, stateOverride.optional()],
  { error: 'must be an array of a user operation, an EntryPoint and an optional state override' },
);
export type EthEstimateUserOperationGasParams = z.infer<typeof EthEstimateUserOperationGasParamsSchema>;

const limit = z.string().describe('Gas, in hex.');

export const EthEstimateUserOperationGasResultSchema = z.object({
  callGasLimit: limit,
  verificationGasLimit: limit,
  preVerificationGas: limit,
  paymasterVerificationGasLimit: limit.optional(),
  paymasterPostOpGasLimit: limit.optional(),
});

/** Has the bundler of the chain estimate the gas limits of an operation (ERC-7769). */
export const ethEstimateUserOperationGas = {
  method: 'eth_estimateUserOperationGas',
  params: EthEstimateUserOperationGasParamsSchema,
  result: EthEstimateUserOperationGasResultSchema,
} as const;
