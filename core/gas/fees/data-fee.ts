import type { Hex } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import type { Read } from '../simulation/plan-measurement.ts';

/**
 * What a chain charges for an operation in addition to the gas that it burns: either in gas, or as an amount of wei that has
 * to be turned into gas at the price that the operation pays.
 */
export type DataFee =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | {
      readonly kind: 'wei';
      readonly wei: bigint;
      readonly baseFeePerGas: bigint;
      /** Gas whose tip goes towards the fee: the chain takes a tip that covers the fee, and nothing else. None when absent. */
      readonly gasWithTip?: bigint;
    };

/** The fee of an operation whose bundle uses this much gas, with margins. */
export type DataFeeOf = (gasUsed: bigint) => DataFee;

/** Finds out the data fee of an operation. Both ways refuse with `CHAIN_UNAVAILABLE`. */
export type DataFeeReader = {
  /** What a simulation can ask for it, and how the answers are read; undefined where it cannot. Absent where it never can. */
  inSimulation?(simulated: SimulatedOperation): DataFeeQuestion | undefined;
  /** Asks the chain. */
  ask(simulated: SimulatedOperation): Promise<Result<DataFeeOf>>;
};

type DataFeeQuestion = {
  readonly reads: readonly Read[];
  /** The contract's answers in the order of the reads, undefined for a revert, and the base fee of the block in wei per gas. */
  answer(answers: readonly (Hex | undefined)[], baseFeePerGas: bigint): Result<DataFeeOf>;
};

export const noDataFee: DataFeeOf = () => ({ kind: 'gas', gas: 0n });

/** Most gas that is taken for a data fee: more than any block has. */
const maxDataGas = 1n << 40n;

/**
 * The gas that pays for the data fee inside `preVerificationGas`, rounded up. An amount of wei is divided by what the
 * operation pays for each gas: the EntryPoint's `min(maxFeePerGas, maxPriorityFeePerGas + block.basefee)`. Refuses with
 * `ESTIMATION_FAILED` when that price is too low for any sensible amount of gas.
 */
export function dataGas(fee: DataFee, operation: UserOperation): Result<bigint> {
  if (fee.kind === 'gas') return accept(fee.gas);
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  // It pays for no gas, so no gas of it can pay for data: the relay pays the chain.
  if (maxFeePerGas === 0n) return accept(0n);
  const offered = maxPriorityFeePerGas + fee.baseFeePerGas;
  const price = minBigint(offered, maxFeePerGas);
  const tip = maxBigint(price - fee.baseFeePerGas, 0n);
  const wei = maxBigint(fee.wei - tip * (fee.gasWithTip ?? 0n), 0n);
  if (wei === 0n) return accept(0n);
  const gas = price === 0n ? undefined : (wei + price - 1n) / price;
  if (gas !== undefined && gas <= maxDataGas) return accept(gas);
  return refuse({
    reason: 'ESTIMATION_FAILED',
    message: `maxFeePerGas is too low to pay the chain's data fee of ${wei} wei.`,
    field: 'maxFeePerGas',
  });
}
