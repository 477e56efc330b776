import {
  BundledStatusSchema,
  BundlerGasEstimateSchema,
  FoundUserOperationSchema,
  GasPriceSchema,
  GasPricesSchema,
  SentUserOperationSchema,
} from '../../../proto/gen/tollfree/core/v1/bundler_pb.ts';
import {
  type BundledStatus,
  type BundlerGasEstimate,
  bundledStatuses,
  type GasPrice,
  type GasPrices,
  type SentUserOperation,
} from '../../domain/bundling.ts';
import { chainId } from '../codec/chain-id.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { absentAs, required } from '../codec/presence.ts';
import { arrival } from './arrival-message.ts';
import { rawUserOperation } from './user-operation-messages.ts';

/** What travels differently in every request for a bundler, and in one about an operation. */
export const bundlerRequest = { chainId, arrival };
export const operationRequest = { ...bundlerRequest, userOperation: absentAs({}, rawUserOperation) };

export const sentUserOperation = messageOf<SentUserOperation>()(SentUserOperationSchema, { userOperationHash: hex });
export const gasEstimate = messageOf<BundlerGasEstimate>()(BundlerGasEstimateSchema, {
  callGasLimit: decimal,
  verificationGasLimit: decimal,
  preVerificationGas: decimal,
  paymasterVerificationGasLimit: decimal,
  paymasterPostOpGasLimit: decimal,
});
export const foundUserOperation = messageOf<{ json: string }>()(FoundUserOperationSchema);
export const bundledStatus = messageOf<BundledStatus>()(BundledStatusSchema, {
  status: oneOf(bundledStatuses),
  transactionHash: hex,
});

const gasPrice = required(
  messageOf<GasPrice>()(GasPriceSchema, { maxFeePerGas: decimal, maxPriorityFeePerGas: decimal }),
);
export const gasPrices = messageOf<GasPrices>()(GasPricesSchema, {
  slow: gasPrice,
  standard: gasPrice,
  fast: gasPrice,
});
