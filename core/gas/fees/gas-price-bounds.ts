import { maxBigint } from '../../base/values/integers.ts';
import type { GasPriceBounds } from '../../domain/core-config.ts';
import type { FeeView } from '../../node/read-fees.ts';

/**
 * How far a gas price may exceed the chain's, unless the operator sets it. viem sends twice the tip that its node suggests,
 * so a tip multiple of 2.5 lets that node suggest a quarter more than what we know.
 */
export const defaultGasPriceBounds: GasPriceBounds = {
  maxBaseFeeMultiple: 3,
  maxTipMultiple: 2.5,
  minTip: 0n,
};

/**
 * Part of the base fee that is always allowed as a tip. Where a chain pays no tips, bundlers still name one: alto a 200th of
 * its price, abstractionkit one wei.
 */
const leastTipDivisor = 100n;

/** The highest prices that are signed, in wei per gas. */
export type HighestPrices = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/**
 * The highest prices that are signed on a chain at present. The tip is bounded separately because it is what a bundler
 * earns: a bundler that sends operations itself would choose it. It follows from what the node suggests and what the latest
 * blocks paid. The rest of `maxFeePerGas` only allows for a rise of the base fee, which no one earns.
 */
export function highestPrices(
  { baseFee, suggestedTip, paidTip = 0n }: FeeView,
  { maxBaseFeeMultiple, maxTipMultiple, minTip }: GasPriceBounds,
): HighestPrices {
  const known = times(maxBigint(suggestedTip, paidTip), maxTipMultiple);
  const maxPriorityFeePerGas = maxBigint(known, baseFee / leastTipDivisor, minTip);
  return { maxPriorityFeePerGas, maxFeePerGas: times(baseFee, maxBaseFeeMultiple) + maxPriorityFeePerGas };
}

/** Multiples are in hundredths. */
function times(amount: bigint, multiple: number): bigint {
  return (amount * BigInt(Math.round(multiple * 100))) / 100n;
}
