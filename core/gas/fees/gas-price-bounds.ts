import { maxBigint } from '../../base/values/integers.ts';
import type { GasPriceBounds } from '../../domain/core-config.ts';
import type { FeeView } from '../../node/read-fees.ts';

/** How far a gas price may be above the chain's when the operator does not say. */
export const defaultGasPriceBounds: GasPriceBounds = {
  maxBaseFeeMultiple: 3,
  maxTipMultiple: 2,
  minTip: 100_000_000n,
};

/** The highest prices that are signed, in wei per gas. */
export type HighestPrices = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/**
 * The highest prices that are signed on a chain at present. The tip is what a bundler earns: it is bound on its own,
 * since a bundler who signs for himself would choose it. The rest of `maxFeePerGas` only lets the operation wait
 * through a rise of the base fee, which no one earns.
 */
export function highestPrices({ baseFee, suggestedTip }: FeeView, bounds: GasPriceBounds): HighestPrices {
  const maxPriorityFeePerGas = maxBigint(times(suggestedTip, bounds.maxTipMultiple), bounds.minTip);
  return { maxPriorityFeePerGas, maxFeePerGas: times(baseFee, bounds.maxBaseFeeMultiple) + maxPriorityFeePerGas };
}

/** Multiples count in hundredths. */
function times(amount: bigint, multiple: number): bigint {
  return (amount * BigInt(Math.round(multiple * 100))) / 100n;
}
