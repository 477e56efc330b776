import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { defaultGasPriceBounds, type HighestPrices, highestPrices } from '../../gas/fees/gas-price-bounds.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';
import type { Viewed } from './check-chain.ts';

/** The operator's ceiling on the gas price. */
export const checkGasPrice: Step<Asked & Identified & ReadOperation, object> = noted(
  { rule: 'operator-gas-price', finding: ({ operation }) => ['operator-gas-price', operation.maxFeePerGas] },
  ({ operation, chain }) => {
    const capped = capGasPrice(operation, chain.config);
    return capped.ok ? accept({}) : capped;
  },
);

/** The operator's ceiling on `maxFeePerGas`, in wei per gas. */
function capGasPrice(operation: UserOperation, config: ChainConfig): Result<true> {
  const ceiling = config.maxFeePerGasCeiling;
  if (ceiling === undefined || operation.maxFeePerGas <= ceiling) return accept(true);
  return refuse({
    reason: 'GAS_PRICE_TOO_HIGH',
    message: `maxFeePerGas is ${operation.maxFeePerGas} wei. At most ${ceiling} wei is sponsored on this chain.`,
    field: 'maxFeePerGas',
    details: { ceiling: ceiling.toString() },
  });
}

/** The operator's ceiling on what one operation can cost at worst, in wei. */
export function capOperationCost(worstCase: bigint, config: ChainConfig): Result<true> {
  const max = config.maxCostPerOperation;
  if (max === undefined || worstCase <= max) return accept(true);
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `The operation can cost up to ${worstCase} wei. At most ${max} wei is signed for one operation.`,
    details: { limit: 'maxCostPerOperation', max: max.toString(), asked: worstCase.toString() },
  });
}

type Priced = Asked & Identified & ReadOperation & Viewed;

function pricesFound({ operation: { maxFeePerGas, maxPriorityFeePerGas }, view: { fees } }: Priced) {
  const { baseFee, suggestedTip, paidTip } = fees ?? {};
  return ['chain-gas-price', maxFeePerGas, maxPriorityFeePerGas, baseFee, suggestedTip, paidTip] as const;
}

/**
 * Before something is signed or quoted, the operation must have a price: 0 is the placeholder of a stub, and of an operation
 * that is relayed. On a chain whose gas is free, 0 is the price.
 */
export const requirePrice: Step<Priced, object> = notedIfRefused(
  { rule: 'chain-gas-price', finding: pricesFound },
  ({ operation, view: { fees } }: Priced) => {
    const isFree = fees !== undefined && fees.baseFee + fees.suggestedTip === 0n;
    return operation.maxFeePerGas > 0n || isFree ? accept({}) : noPrice;
  },
);

const noPrice = refuse({
  reason: 'INVALID_PARAMS',
  message:
    'maxFeePerGas must not be 0: no bundler takes the operation. Set the price before you ask for a signature or a quote: ' +
    'pimlico_getUserOperationGasPrice of the bundler names one, or take the base fee and tip of the chain.',
  field: 'maxFeePerGas',
});

/**
 * The gas price must not be far above the chain's. Otherwise a sender that bundles its own operations could move the deposit
 * to itself: the EntryPoint pays the bundler `min(maxFeePerGas, baseFee + maxPriorityFeePerGas)` per gas. Nothing is signed
 * without a current price of the chain.
 */
export const checkPriceNearChain: Step<Priced, object> = noted(
  { rule: 'chain-gas-price', finding: pricesFound },
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
