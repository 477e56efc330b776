import { z } from 'zod';
import { maxStateOverrideBytes } from '../limits.ts';
import { EntryPointParamSchema, NoParamsSchema } from './chain-reference.ts';
import { BundledUserOperationSchema } from './user-operation.ts';

/** Params of bundler methods about an operation. */
export const BundledOperationParamsSchema = z.tuple([BundledUserOperationSchema, EntryPointParamSchema], {
  error: 'must be an array of a user operation and an EntryPoint',
});
export type BundledOperationParams = z.infer<typeof BundledOperationParamsSchema>;

/** Params of methods that look up an operation. */
export const OperationHashParamsSchema = z.tuple(
  [z.string({ error: 'must be a userOpHash' }).describe('The userOpHash of the operation.')],
  { error: 'must be an array of a userOpHash' },
);
export type OperationHashParams = z.infer<typeof OperationHashParamsSchema>;

const found = z.looseObject({}).nullable();

/** The operation that was sent, and its transaction (ERC-7769). */
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

export const BundledStatusSchema = z
  .enum(['not_found', 'not_submitted', 'submitted', 'included', 'failed', 'reverted', 'rejected'])
  .describe('Where the operation is.');
const transactionHash = z.string().nullable().describe('Of the transaction that carries it, if there is one.');

/** The status of an operation, in Pimlico's form. */
export const pimlicoGetUserOperationStatus = {
  method: 'pimlico_getUserOperationStatus',
  params: OperationHashParamsSchema,
  result: z.object({ status: BundledStatusSchema, transactionHash }),
} as const;

/** The status of an operation, in Biconomy's form. */
export const biconomyGetUserOperationStatus = {
  method: 'biconomy_getUserOperationStatus',
  params: OperationHashParamsSchema,
  result: z.object({
    state: z.enum(['SUBMITTED', 'CONFIRMED', 'REJECTED']).describe('Where the operation is.'),
    transactionHash: transactionHash.optional(),
  }),
} as const;

const wei = z.string().describe('Wei per gas, in hex.');
const price = z.object({ maxFeePerGas: wei, maxPriorityFeePerGas: wei });
const speeds = z.object({ slow: price, standard: price, fast: price });

const params = NoParamsSchema;

/**
 * The gas price methods of clients, in each vendor's form. All return the same prices, never above what the paymaster signs.
 */
export const gasPriceMethods = [
  { method: 'pimlico_getUserOperationGasPrice', params, result: speeds },
  { method: 'zd_getUserOperationGasPrice', params, result: speeds },
  { method: 'gas_getUserOperationGasPrice', params, result: speeds },
  { method: 'skandha_getGasPrice', params, result: price },
  { method: 'thirdweb_getUserOperationGasPrice', params, result: price },
  { method: 'biconomy_getGasFeeValues', params, result: price.extend(speeds.shape) },
  { method: 'rundler_maxPriorityFeePerGas', params, result: wei },
] as const;
export type GasPriceMethod = (typeof gasPriceMethods)[number]['method'];

/** The EntryPoints to which operations can be sent (ERC-7769): the paymaster's first. */
export const ethSupportedEntryPoints = {
  method: 'eth_supportedEntryPoints',
  params: NoParamsSchema,
  result: z.array(z.string()).describe('Addresses. The first is the one of `pm_supportedEntryPoints`.'),
} as const;

export const EthSendUserOperationResultSchema = z.string().describe('The userOpHash of the operation.');

/** Sends an operation to the bundler of the chain (ERC-7769). Further params are ignored. */
export const ethSendUserOperation = {
  method: 'eth_sendUserOperation',
  params: BundledOperationParamsSchema,
  result: EthSendUserOperationResultSchema,
} as const;

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
const estimatedFee = wei
  .optional()
  .describe(
    'Wei per gas, in hex: that of the operation if it has both fees, else the standard price. Absent if no price is known.',
  );

export const EthEstimateUserOperationGasResultSchema = z.object({
  callGasLimit: limit,
  verificationGasLimit: limit,
  preVerificationGas: limit,
  paymasterVerificationGasLimit: limit.optional(),
  paymasterPostOpGasLimit: limit.optional(),
  maxFeePerGas: estimatedFee,
  maxPriorityFeePerGas: estimatedFee,
});

/** Has the bundler of the chain estimate the gas limits of an operation (ERC-7769). */
export const ethEstimateUserOperationGas = {
  method: 'eth_estimateUserOperationGas',
  params: EthEstimateUserOperationGasParamsSchema,
  result: EthEstimateUserOperationGasResultSchema,
} as const;

/** The names of all methods that are a bundler's. */
export const bundlerMethodNames: readonly string[] = [
  ethSendUserOperation,
  ethEstimateUserOperationGas,
  ethGetUserOperationReceipt,
  ethGetUserOperationByHash,
  ethSupportedEntryPoints,
  pimlicoGetUserOperationStatus,
  biconomyGetUserOperationStatus,
  ...gasPriceMethods,
].map(({ method }) => method);
