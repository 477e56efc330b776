import * as api from '@tollfree/contract/rpc/bundler-methods';
import type { z } from 'zod';
import { amount, fieldsOf, hex, message, request, text } from '../base/message-schema.ts';
import { SponsorshipRequestSchema } from './sponsorship.ts';
import { GasLimitsSchema } from './user-operation.ts';

/** A request for the bundler of a paymaster's chain. */
export const bundlerRequest = fieldsOf(SponsorshipRequestSchema, 'apiKey', 'chainId', 'arrival', 'clientAddress');
const BundlerRequestSchema = request(bundlerRequest);
export type BundlerRequest = z.output<typeof BundlerRequestSchema>;

/** One about an operation, for the EntryPoint that it is sent to. */
export const bundledOperation = {
  ...bundlerRequest,
  ...fieldsOf(SponsorshipRequestSchema, 'userOperation'),
  /** Address of the EntryPoint, as sent. */
  entryPoint: text,
};
const BundledOperationSchema = request(bundledOperation);
export type BundledOperationRequest = z.output<typeof BundledOperationSchema>;

/** An operation that the bundler has accepted. `decisionId` identifies the decision behind its signature, if it is ours. */
export const SentUserOperationSchema = message('SentUserOperation', {
  /** The hash that the EntryPoint's events use. */
  userOperationHash: hex,
  /** Of the decision behind its signature. Absent if the paymaster did not sign it. */
  decisionId: text.exactOptional(),
});
export type SentUserOperation = z.output<typeof SentUserOperationSchema>;

/** The bundler's estimate of gas limits. The paymaster's limits are absent if the bundler does not return them. */
export const BundlerGasEstimateSchema = message('BundlerGasEstimate', {
  ...fieldsOf(GasLimitsSchema, 'callGasLimit', 'verificationGasLimit', 'preVerificationGas'),
  /** For validating the paymaster. Absent if the bundler does not return it. */
  paymasterVerificationGasLimit: amount.exactOptional(),
  /** For the paymaster's postOp. Absent if the bundler does not return it. */
  paymasterPostOpGasLimit: amount.exactOptional(),
});
export type BundlerGasEstimate = z.output<typeof BundlerGasEstimateSchema>;

/** The bundler's answer about an operation. */
export const FoundUserOperationSchema = message('FoundUserOperation', {
  /** JSON text in the form of ERC-7769; `null` if the bundler does not know the operation. */
  json: text,
});

/** What can be looked up about an operation: what was sent, and its receipt. */
export const operationViews = ['operation', 'receipt'] as const;
export type OperationView = (typeof operationViews)[number];

/** States of an operation at a bundler, as Pimlico names them. */
export const { options: bundledStatuses } = api.BundledStatusSchema;

/** The state of an operation at the bundler. */
export const BundledStatusSchema = message('BundledStatus', {
  status: api.BundledStatusSchema,
  /** Of the bundle with the operation. Absent if there is none yet. */
  transactionHash: hex.exactOptional(),
});
export type BundledStatus = z.output<typeof BundledStatusSchema>;

/** A gas price, in wei per gas. */
const GasPriceSchema = message('GasPrice', {
  maxFeePerGas: amount,
  maxPriorityFeePerGas: amount,
});
export type GasPrice = z.output<typeof GasPriceSchema>;

/** Gas prices for more and less patient senders. */
export const GasPricesSchema = message('GasPrices', {
  slow: GasPriceSchema,
  standard: GasPriceSchema,
  /** Highest. */
  fast: GasPriceSchema,
});
export type GasPrices = z.output<typeof GasPricesSchema>;
