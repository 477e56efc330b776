import { z } from 'zod';
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

/** An operation that the bundler has taken. `decisionId` names the decision behind its signature, where it is ours. */
export const SentUserOperationSchema = message('SentUserOperation', {
  /** By which the EntryPoint's events name it. */
  userOperationHash: hex,
  /** Of the decision behind its signature. Absent where the paymaster has not signed it. */
  decisionId: text.exactOptional(),
});
export type SentUserOperation = z.output<typeof SentUserOperationSchema>;

/** Gas limits as the bundler estimates them. Those of the paymaster are absent where it does not say. */
export const BundlerGasEstimateSchema = message('BundlerGasEstimate', {
  ...fieldsOf(GasLimitsSchema, 'callGasLimit', 'verificationGasLimit', 'preVerificationGas'),
  /** For validating the paymaster. Absent where the bundler does not say. */
  paymasterVerificationGasLimit: amount.exactOptional(),
  /** For the paymaster's postOp. Absent where the bundler does not say. */
  paymasterPostOpGasLimit: amount.exactOptional(),
});
export type BundlerGasEstimate = z.output<typeof BundlerGasEstimateSchema>;

/** What the bundler answers about an operation. */
export const FoundUserOperationSchema = message('FoundUserOperation', {
  /** JSON text in the form of ERC-7769; `null` where the bundler does not know the operation. */
  json: text,
});

/** What can be looked up of an operation: what was sent, and its receipt. */
export const operationViews = ['operation', 'receipt'] as const;
export type OperationView = (typeof operationViews)[number];

/** States of an operation at a bundler, as Pimlico names them. */
export const bundledStatuses = [
  'not_found',
  'not_submitted',
  'submitted',
  'included',
  'failed',
  'reverted',
  'rejected',
] as const;

/** Where an operation is. */
export const BundledStatusSchema = message('BundledStatus', {
  status: z.enum(bundledStatuses),
  /** Of the bundle that carries it. Absent where there is none yet. */
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
