import type { Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { minBigint } from '../../domain/values/bigint-bounds.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import type { Read } from '../simulation/plan-measurement.ts';

/**
 * What a layer 2 charges for publishing the data of an operation, beside the gas that it burns: either in gas, or as an
 * amount of wei that has to be turned into gas at the price that the operation pays.
 */
export type DataFee =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | { readonly kind: 'wei'; readonly wei: bigint; readonly baseFeePerGas: bigint };

/** Finds out the data fee of an operation. Both ways refuse with `CHAIN_UNAVAILABLE`. */
export type DataFeeReader = {
  /** What a simulation can ask for it, and how the answer is read; undefined where it cannot. Absent where it never can. */
  inSimulation?(simulated: SimulatedOperation): DataFeeQuestion | undefined;
  /** Asks the chain. */
  ask(simulated: SimulatedOperation): Promise<Result<DataFee>>;
};

export type DataFeeQuestion = {
  readonly read: Read;
  /** The contract's answer, undefined for a revert, and the base fee of the block in wei per gas. */
  answer(answer: Hex | undefined, baseFeePerGas: bigint): Result<DataFee>;
};

export const noDataFee: DataFee = { kind: 'gas', gas: 0n };

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
  const offered = maxPriorityFeePerGas + fee.baseFeePerGas;
  const price = minBigint(offered, maxFeePerGas);
  if (fee.wei === 0n) return accept(0n);
  const gas = price === 0n ? undefined : (fee.wei + price - 1n) / price;
  if (gas !== undefined && gas <= maxDataGas) return accept(gas);
  return refuse({
    reason: 'ESTIMATION_FAILED',
    message: `maxFeePerGas is too low to pay the chain's data fee of ${fee.wei} wei.`,
    field: 'maxFeePerGas',
  });
}
