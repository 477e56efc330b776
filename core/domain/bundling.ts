import type { Hex } from 'viem';
import type { PaymasterKey } from './paymaster-data.ts';
import type { GasLimits, RawUserOperation } from './user-operation.ts';

/** A request for the bundler of a paymaster's chain. `clientAddress` is as in a sponsorship request. */
export type BundlerRequest = PaymasterKey & { readonly clientAddress?: string };

/** One about an operation, for the EntryPoint that it is sent to. */
export type BundledOperationRequest = BundlerRequest & {
  readonly userOperation: RawUserOperation;
  readonly entryPoint: string;
};

/** An operation that the bundler has taken. `decisionId` names the decision behind its signature, where it is ours. */
export type SentUserOperation = { readonly userOperationHash: Hex; readonly decisionId?: string };

/** Gas limits as the bundler estimates them. Those of the paymaster are absent where it does not say. */
export type BundlerGasEstimate = Pick<GasLimits, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'> &
  Partial<Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>>;

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
export type BundledStatus = { readonly status: (typeof bundledStatuses)[number]; readonly transactionHash?: Hex };

/** Wei per gas. */
export type GasPrice = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Prices for more and less patient senders. */
export type GasPrices = { readonly slow: GasPrice; readonly standard: GasPrice; readonly fast: GasPrice };
