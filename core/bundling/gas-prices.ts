import { maxBigint, minBigint } from '../base/values/integers.ts';
import type { GasPrice, GasPrices } from '../domain/bundling.ts';
import type { GasPriceBounds } from '../domain/core-config.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { defaultGasPriceBounds, highestPrices } from '../gas/fees/gas-price-bounds.ts';
import type { FeeView } from '../node/read-fees.ts';

/** How far above the base fee the prices are, in hundredths: it can rise by an eighth with each block. */
const baseFeeHundredths = { slow: 125n, standard: 150n, fast: 200n } as const satisfies Record<keyof GasPrices, bigint>;

/** What operations are signed for at most, in wei per gas. */
type PriceCeilings = {
  readonly bounds?: GasPriceBounds | 'none' | undefined;
  /** Of the operator and of the policy, for `maxFeePerGas`. */
  readonly ceilings: readonly (bigint | undefined)[];
};

/** Prices of the chain itself. */
export function chainPrices({ baseFee, suggestedTip }: FeeView): GasPrices {
  const price = (speed: keyof GasPrices): GasPrice => ({
    maxFeePerGas: (baseFee * baseFeeHundredths[speed]) / 100n + suggestedTip,
    maxPriorityFeePerGas: suggestedTip,
  });
  return { slow: price('slow'), standard: price('standard'), fast: price('fast') };
}

/**
 * The prices no lower than what the chain asks for now, and no higher than what is signed. Refused where both cannot be:
 * `GAS_PRICE_TOO_HIGH`.
 */
export function boundPrices(prices: GasPrices, fees: FeeView, limits: PriceCeilings): Result<GasPrices> {
  const needed = fees.baseFee + fees.suggestedTip;
  const { bounds = defaultGasPriceBounds, ceilings } = limits;
  const highest = bounds === 'none' ? undefined : highestPrices(fees, bounds);
  const ceiling = lowest([highest?.maxFeePerGas, ...ceilings]);
  if (ceiling !== undefined && ceiling < needed) return refuse(tooExpensive(needed, ceiling));
  const bound = ({ maxFeePerGas, maxPriorityFeePerGas }: GasPrice): GasPrice => {
    const fee = atMost(maxBigint(maxFeePerGas, needed), ceiling);
    const tip = atMost(maxBigint(maxPriorityFeePerGas, fees.suggestedTip), highest?.maxPriorityFeePerGas);
    return { maxFeePerGas: fee, maxPriorityFeePerGas: atMost(tip, fee) };
  };
  return accept({ slow: bound(prices.slow), standard: bound(prices.standard), fast: bound(prices.fast) });
}

function tooExpensive(needed: bigint, ceiling: bigint): Refusal {
  return {
    reason: 'GAS_PRICE_TOO_HIGH',
    message: `The chain asks for ${needed} wei per gas at present. At most ${ceiling} wei is sponsored.`,
    field: 'maxFeePerGas',
    details: { ceiling: ceiling.toString(), needed: needed.toString() },
  };
}

function atMost(amount: bigint, ceiling: bigint | undefined): bigint {
  return ceiling === undefined ? amount : minBigint(amount, ceiling);
}

function lowest(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce((least, amount) => (amount === undefined ? least : atMost(amount, least)), undefined);
}
