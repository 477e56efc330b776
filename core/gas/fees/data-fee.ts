import { deflateRawSync } from 'node:zlib';
import { bytesToHex, type Hex, hexToBytes, parseGwei, serializeTransaction, size } from 'viem';
import { divideUp, maxBigint, minBigint } from '../../base/values/integers.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { encodeForPublishing, noise } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import type { Read } from '../simulation/plan-measurement.ts';

/**
 * What a chain charges for an operation in addition to the gas that it burns: in gas, or in wei to be converted to gas at
 * the operation's gas price.
 */
export type DataFee =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | {
      readonly kind: 'wei';
      readonly wei: bigint;
      readonly baseFeePerGas: bigint;
      /** Gas whose tip counts towards the fee, on chains that only require a tip that covers the fee. None when absent. */
      readonly gasWithTip?: bigint;
    };

/** The fee of an operation whose bundle uses this much gas, with margins. */
export type DataFeeOf = (gasUsed: bigint) => DataFee;

/** Reads the data fee of an operation. Both methods refuse with `CHAIN_UNAVAILABLE`. */
export type DataFeeReader = {
  /**
   * The calls to add to a simulation, and how to read their answers; undefined if this operation's fee cannot be read there.
   * Absent if the chain's fee never can.
   */
  inSimulation?(simulated: SimulatedOperation): DataFeeQuestion | undefined;
  /** Asks the chain. */
  ask(simulated: SimulatedOperation): Promise<Result<DataFeeOf>>;
};

type DataFeeQuestion = {
  readonly reads: readonly Read[];
  /**
   * Reads the contract's answers, in the order of the calls and undefined for a revert, with the block's base fee in wei per
   * gas.
   */
  answer(answers: readonly (Hex | undefined)[], baseFeePerGas: bigint): Result<DataFeeOf>;
};

export const noDataFee: DataFeeOf = () => ({ kind: 'gas', gas: 0n });

/** Most gas accepted for a data fee: more than any block has. */
const maxDataGas = 1n << 40n;

/**
 * The gas that pays for the data fee inside `preVerificationGas`, rounded up. An amount of wei is divided by the operation's
 * price per gas: the EntryPoint's `min(maxFeePerGas, maxPriorityFeePerGas + block.basefee)`. Refuses with
 * `ESTIMATION_FAILED` when that price is too low for any sensible amount of gas.
 */
export function dataGas(fee: DataFee, operation: UserOperation): Result<bigint> {
  if (fee.kind === 'gas') return accept(fee.gas);
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  // At a gas price of zero no gas can pay for data: the relay pays the chain.
  if (maxFeePerGas === 0n) return accept(0n);
  const offered = maxPriorityFeePerGas + fee.baseFeePerGas;
  const price = minBigint(offered, maxFeePerGas);
  const tip = maxBigint(price - fee.baseFeePerGas, 0n);
  const wei = maxBigint(fee.wei - tip * (fee.gasWithTip ?? 0n), 0n);
  if (wei === 0n) return accept(0n);
  const gas = price === 0n ? undefined : divideUp(wei, price);
  if (gas !== undefined && gas <= maxDataGas) return accept(gas);
  return refuse({
    reason: 'ESTIMATION_FAILED',
    message: `maxFeePerGas is too low to pay the chain's data fee of ${wei} wei.`,
    field: 'maxFeePerGas',
  });
}

/** Placeholders for unknown fields of the bundler's transaction, as long as real values. */
const bundlerNonce = 0xb7d3e9;
const bundlerGas = 0x5ad3e9n;
const bundlerFee = parseGwei('0.123456789');

/** The bundler's transaction for only this operation, as input of data fee formulas. */
export function unsignedBundle(chainId: number, simulated: SimulatedOperation): Hex {
  return serializeTransaction(bundleOf(chainId, simulated));
}

/**
 * The signed transaction, compressed: for chains that charge by compressed size. They use their own compressors (zstd,
 * LZSS); DEFLATE comes close. Unknown fields are noise, which no compressor shortens.
 */
export function compressedBundle(chainId: number, simulated: SimulatedOperation): Hex {
  const [r, s] = [noise(32), noise(64).replace(/^0x.{64}/, '0x') as Hex];
  const signed = serializeTransaction(bundleOf(chainId, simulated), { r, s, yParity: 1 });
  const compressed = bytesToHex(deflateRawSync(hexToBytes(signed), { level: 9 }));
  return size(compressed) < size(signed) ? compressed : signed;
}

function bundleOf(chainId: number, simulated: SimulatedOperation) {
  return {
    type: 'eip1559',
    chainId,
    nonce: bundlerNonce,
    gas: bundlerGas,
    maxFeePerGas: bundlerFee,
    maxPriorityFeePerGas: bundlerFee,
    to: simulated.entryPoint,
    data: encodeForPublishing(simulated),
  } as const;
}
