import { maxBigint } from '../../base/values/integers.ts';
import type { GasPriceBounds } from '../../domain/core-config.ts';
import type { FeeView } from '../../node/read-fees.ts';

/** How far a gas price may exceed the chain's, unless the operator sets it. */
export const defaultGasPriceBounds: GasPriceBounds = {
  maxBaseFeeMultiple: 3,
  maxTipMultiple: 2,
  minTip: 100_000_000n,
};

/** The highest prices that are signed, in wei per gas. */
export type HighestPrices = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/**
 * The highest prices that are signed on a chain at present. The tip is bounded separately because it is what a bundler
 * earns: a bundler that sends operations itself would choose it. The rest of `maxFeePerGas` only allows for a rise of the
 * base fee, which no one earns.
 */
export function highestPrices({ baseFee, suggestedTip }: FeeView, bounds: GasPriceBounds): HighestPrices {
  const maxPriorityFeePerGas = maxBigint(times(suggestedTip, bounds.maxTipMultiple), bounds.minTip);
  return { maxPriorityFeePerGas, maxFeePerGas: times(baseFee, bounds.maxBaseFeeMultiple) + maxPriorityFeePerGas };
}

/** Multiples are in hundredths. */
function times(amount: bigint, multiple: number): bigint {
  return (amount * BigInt(Math.round(multiple * 100))) / 100n;
}
