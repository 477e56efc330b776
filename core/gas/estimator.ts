import type { Address, Hex } from 'viem';
import type { Result } from '../domain/result/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../domain/user-operation.ts';
import type { AccountSlots, SeenAccount } from '../node/account-codes/seen-account.ts';
import type { DataFee } from './fees/data-fee.ts';
import type { Handling } from './simulation/measure-operation.ts';
import type { Read } from './simulation/plan-measurement.ts';

/** What an estimate is made for. */
export type EstimationRequest = {
  readonly operation: UserOperation;
  readonly entryPoint: Address;
  /** The limits the paymaster contract needs for itself (0 for EntryPoint 0.6). */
  readonly paymasterGas: Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /** `paymasterAndData` with a stub signature for the operation with these limits; as long as the final one. */
  stub(operation: UserOperationWithGas): Hex;
  /**
   * Extra room for call gas that the estimate cannot see yet (token mode: the approve a client prepends), in gas of Prague.
   * The new slot in it is priced as the chain does.
   */
  readonly callGasAllowance: bigint;
  /**
   * Who pays does so for an operation whose own call reverts as well. False when absent; the operator's word for the
   * whole chain also applies. No bundler is asked then, since it does not estimate such operations.
   */
  readonly mayRevert?: boolean;
  /**
   * What to read of the sender in the state that is simulated; nothing when absent. No slots of one that the operation
   * creates: there is nothing in them yet.
   */
  readonly accountSlots?: AccountSlots | undefined;
  /** Whose nonce is estimated with: the operation's, or the account's next one for the same key. The former when absent. */
  readonly nonce?: 'next';
  /**
   * Limits that a caller gave. Where they suffice and the call uses at least so much gas, none are searched for; without that
   * amount they always are.
   */
  readonly given?: { readonly limits: GasLimits; readonly leastCallUsed: bigint | undefined };
  /** What contracts are asked in the state that is simulated. */
  readonly reads?: readonly Read[];
};

/** Gas limits, and which part of `preVerificationGas` pays for data on a layer 2. */
export type GasEstimate = {
  readonly limits: GasLimits;
  /** Our own limits, where `limits` are a bundler's. */
  readonly ownLimits?: GasLimits;
  /** The most `preVerificationGas` that is signed, without the part for data on a layer 2. */
  readonly maxPreVerificationGas: bigint;
  /** Whether none were searched for because the given ones suffice: `limits` are then what it needs at least. */
  readonly givenSuffice: boolean;
  /** What the chain charges for the operation's data. */
  readonly dataFee: DataFee;
  /** That fee in gas, at the operation's price: this much of our own `preVerificationGas`. */
  readonly dataGas: bigint;
  /** The sender in the state that was simulated, where it was asked for. */
  readonly account?: SeenAccount;
  /** The nonce it was made with. */
  readonly nonce: bigint;
  /** The answers to the request's `reads`, in order; undefined for a revert. */
  readonly answers: readonly (Hex | undefined)[];
  /** What the given limits came to; absent where they were not tried. */
  readonly given?: GivenTrial;
};

/** Whether the EntryPoint takes the operation with the given limits, and what becomes of its call. */
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
