import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { defaultGasPriceBounds, type HighestPrices, highestPrices } from '../../gas/fees/gas-price-bounds.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';
import type { Viewed } from './check-chain.ts';

/**
 * The gas price must not be far above the chain's. Otherwise a sender that bundles its own operations could move the deposit
 * to itself: the EntryPoint pays the bundler `min(maxFeePerGas, baseFee + maxPriorityFeePerGas)` per gas. Nothing is signed
 * without a current price of the chain.
 */
export const checkPriceNearChain: Step<Asked & Identified & ReadOperation & Viewed, object> = noted(
  {
    rule: 'chain-gas-price',
    finding: ({ operation: { maxFeePerGas, maxPriorityFeePerGas }, view: { fees } }) => [
      ...(['chain-gas-price', maxFeePerGas, maxPriorityFeePerGas] as const),
      ...([fees?.baseFee, fees?.suggestedTip] as const),
    ],
  },
  ({ operation, chain: { config }, view: { fees } }) => {
    const bounds = config.gasPrice ?? defaultGasPriceBounds;
    if (bounds === 'none') return accept({});
    if (fees !== undefined) return compare(operation, highestPrices(fees, bounds));
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The node of chain ${config.chainId} does not report the gas price. Nothing is signed until it does.`,
    });
  },
);

/** A tip above `maxFeePerGas` is only paid up to it. */
function compare(
  { maxFeePerGas, maxPriorityFeePerGas }: UserOperation,
  highest: HighestPrices,
): Result<Record<never, never>> {
  if (maxFeePerGas > highest.maxFeePerGas) return refusePrice('maxFeePerGas', maxFeePerGas, highest);
  const tip = maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas;
  if (tip > highest.maxPriorityFeePerGas) return refusePrice('maxPriorityFeePerGas', tip, highest);
  return accept({});
}

function refusePrice(field: keyof HighestPrices, asked: bigint, highest: HighestPrices): Result<never> {
  const ceiling = highest[field];
  return refuse({
    reason: 'GAS_PRICE_TOO_HIGH',
    message: `${field} is ${asked} wei. At this chain's current gas price, at most ${ceiling} wei is sponsored.`,
    field,
    details: { ceiling: ceiling.toString() },
  });
}
