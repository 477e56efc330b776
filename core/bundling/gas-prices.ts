import { maxBigint, minBigint } from '../base/values/integers.ts';
import type { GasPrice, GasPrices } from '../domain/bundling.ts';
import type { GasPriceBounds } from '../domain/core-config.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { defaultGasPriceBounds, highestPrices } from '../gas/fees/gas-price-bounds.ts';
import type { FeeView } from '../node/read-fees.ts';

/** Prices as a multiple of the base fee, in hundredths: the base fee can rise by an eighth per block. */
const baseFeeHundredths = { slow: 125n, standard: 150n, fast: 200n } as const satisfies Record<keyof GasPrices, bigint>;

/** The highest prices that are signed, in wei per gas. */
type PriceCeilings = {
  readonly bounds?: GasPriceBounds | 'none' | undefined;
  /** Ceilings of the operator and of the policy for `maxFeePerGas`. */
  readonly ceilings: readonly (bigint | undefined)[];
};

/** Prices computed from the chain's fees. */
export function chainPrices({ baseFee, suggestedTip }: FeeView): GasPrices {
  const price = (speed: keyof GasPrices): GasPrice => ({
    maxFeePerGas: (baseFee * baseFeeHundredths[speed]) / 100n + suggestedTip,
    maxPriorityFeePerGas: suggestedTip,
  });
  return { slow: price('slow'), standard: price('standard'), fast: price('fast') };
}

/**
 * The prices, raised to what the chain requires now and capped at what is signed. Refused if both are impossible:
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
