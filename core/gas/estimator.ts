import type { Address, Hex } from 'viem';
import type { Result } from '../domain/result/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../domain/user-operation.ts';
import type { AccountSlots, SeenAccount } from '../node/account-codes/seen-account.ts';
import { defaultOverEstimates } from './compare-limits.ts';
import type { DataFee } from './fees/data-fee.ts';
import { type ChainFees, type FeeModel, feeModels } from './fees/fee-models.ts';
import type { GasSchedule } from './gas-schedule.ts';
import type { EstimationContext } from './simulation/estimation-context.ts';
import type { Handling } from './simulation/measure-operation.ts';
import type { Read } from './simulation/plan-measurement.ts';
import type { SimulationCode } from './simulation/simulation-code.ts';

/** The input of an estimate. */
export type EstimationRequest = {
  readonly operation: UserOperation;
  readonly entryPoint: Address;
  /** The limits the paymaster contract needs for itself (0 for EntryPoint 0.6). */
  readonly paymasterGas: Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /** `paymasterAndData` with a stub signature for the operation with these limits; as long as the final one. */
  stub(operation: UserOperationWithGas): Hex;
  /**
   * Extra call gas for calls that the estimate does not contain yet (token mode: the approve that a client prepends), in gas
   * of Prague. The new slot in it is priced by the chain's schedule.
   */
  readonly callGasAllowance: bigint;
  /**
   * Whether the payer also pays for an operation whose own call reverts. False when absent; the operator's setting for the
   * whole chain also applies. Then no bundler is asked, since bundlers do not estimate such operations.
   */
  readonly mayRevert?: boolean;
  /**
   * What to read of the sender in the simulated state; nothing when absent. An account that the operation creates has no
   * slots yet.
   */
  readonly accountSlots?: AccountSlots | undefined;
  /** Which nonce the estimate uses: the operation's (when absent), or the account's next one for the same key. */
  readonly nonce?: 'next';
  /**
   * Limits given by a caller. If they suffice and the call uses at least `leastCallUsed`, no search is made. Without that
   * amount, limits are always searched for.
   */
  readonly given?: { readonly limits: GasLimits; readonly leastCallUsed: bigint | undefined };
  /** Contract calls to make in the simulated state. */
  readonly reads?: readonly Read[];
};

/** Gas limits, and which part of `preVerificationGas` pays for data on a layer 2. */
export type GasEstimate = {
  readonly limits: GasLimits;
  /** Our own limits, where `limits` are a bundler's. */
  readonly ownLimits?: GasLimits;
  /** The most `preVerificationGas` that is signed, excluding the part for data on a layer 2. */
  readonly maxPreVerificationGas: bigint;
  /** True if the given limits suffice, so none were searched for; `limits` then are what it needs at least. */
  readonly givenSuffice: boolean;
  /** What the chain charges for the operation's data. */
  readonly dataFee: DataFee;
  /** The data fee in gas, at the operation's price: this much of our own `preVerificationGas`. */
  readonly dataGas: bigint;
  /** The sender in the simulated state, if requested. */
  readonly account?: SeenAccount;
  /** The nonce used for the estimate. */
  readonly nonce: bigint;
  /** The answers to the request's `reads`, in order; undefined for a revert. */
  readonly answers: readonly (Hex | undefined)[];
  /** The result for the given limits; absent where they were not tried. */
  readonly given?: GivenTrial;
};

/** Whether the EntryPoint accepts the operation with the given limits, and the outcome of its call. */
export type GivenTrial = {
  readonly handling: Handling;
  readonly call: { readonly executed: boolean; readonly revertData: Hex };
};

/**
 * Finds gas limits with which an operation lands. Refuses with `ESTIMATION_FAILED` (the EntryPoint's AA code and the
 * inner revert in `details`, the limit or field to check in `field`) or `CHAIN_UNAVAILABLE`.
 */
export type GasEstimator = {
  estimate(request: EstimationRequest): Promise<Result<GasEstimate>>;
};

export type NodeEstimatorOptions = {
  /** How the chain charges beyond gas; not at all when absent. */
  readonly fees?: ChainFees;
  /** Whether operations whose own call reverts are estimated for every payer; `refused` when absent. */
  readonly revertingOperations?: 'allowed' | 'refused';
  /** In basis points (`maxPreVerificationGasOverEstimate`); the default when absent. */
  readonly overEstimate?: number;
};

export type NodeEstimatorContext = EstimationContext & {
  readonly options: NodeEstimatorOptions;
  /** The code that simulates the request. */
  readonly code: SimulationCode;
  readonly schedule: GasSchedule;
};

/** The inputs for computing `preVerificationGas`. */
export type Counting = {
  readonly schedule: GasSchedule;
  readonly model: FeeModel;
  /** In basis points (`maxPreVerificationGasOverEstimate`). */
  readonly overEstimate: number;
};

export function countingOf({ options, schedule }: NodeEstimatorContext): Counting {
  const { fees, overEstimate = defaultOverEstimates.preVerificationGas } = options;
  return { schedule, model: fees?.model ?? feeModels.none, overEstimate };
}

/** Whether an operation whose own call reverts gets limits too. */
export function allowsReverting({ options }: NodeEstimatorContext, request: EstimationRequest): boolean {
  return options.revertingOperations === 'allowed' || request.mayRevert === true;
}
