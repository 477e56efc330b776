import type { Clock } from '../base/time/clock.ts';
import { maxBigint, minBigint } from '../base/values/integers.ts';
import type { GasPrice, GasPrices } from '../domain/bundling.ts';
import type { GasPriceBounds } from '../domain/core-config.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { readBundlerQuantity } from '../gas/ask-bundler.ts';
import { defaultGasPriceBounds, highestPrices } from '../gas/fees/gas-price-bounds.ts';
import type { BundlerClient } from '../node/bundler-client.ts';
import type { FeeView } from '../node/read-fees.ts';
import { lacksMethod } from './reply-refusals.ts';

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

/** Highest price that is accepted, in wei per gas. */
const maxPrice = 1n << 120n;
/** How long a bundler that has none of the methods is not asked again, in milliseconds. */
const withoutMethodMs = 600_000;

/** A bundler's prices: all of them, or only tips. */
export type NamedPrices = GasPrices | { readonly tip: bigint };

/** The price methods of bundlers, and how to read their answers; undefined for an invalid one. */
const methods: readonly { readonly method: string; readonly read: (result: unknown) => NamedPrices | undefined }[] = [
  { method: 'pimlico_getUserOperationGasPrice', read: readThree },
  {
    method: 'rundler_maxPriorityFeePerGas',
    read: (result) => {
      const tip = readBundlerQuantity(result, maxPrice);
      return tip === undefined ? undefined : { tip };
    },
  },
  {
    method: 'skandha_getGasPrice',
    read: (result) => {
      const price = readOne(result);
      return price === undefined ? undefined : { slow: price, standard: price, fast: price };
    },
  },
];

/**
 * Asks bundlers for their prices, each by the method that it supports, which is determined once. Undefined if it has none,
 * or does not answer.
 */
export function createPriceQuestion(clock: Clock): (bundler: BundlerClient) => Promise<NamedPrices | undefined> {
  const known = new WeakMap<BundlerClient, { readonly first: number; readonly at: number }>();
  return async (bundler) => {
    const found = known.get(bundler);
    const isOver =
      found !== undefined && found.first === methods.length && Math.abs(clock.now() - found.at) > withoutMethodMs;
    for (let index = found === undefined || isOver ? 0 : found.first; index < methods.length; index += 1) {
      const { method = '', read = () => undefined } = methods[index] ?? {};
      const reply = await bundler.ask({ method, params: [] });
      known.set(bundler, { first: lacksMethod(reply) ? index + 1 : index, at: clock.now() });
      if (reply.kind === 'result') return read(reply.result);
      if (!lacksMethod(reply)) return undefined;
    }
    return undefined;
  };
}

function readThree(result: unknown): GasPrices | undefined {
  const [slow, standard, fast] = ['slow', 'standard', 'fast'].map((speed) => readOne(fieldOf(result, speed)));
  if (slow === undefined || standard === undefined || fast === undefined) return undefined;
  return { slow, standard, fast };
}

function readOne(value: unknown): GasPrice | undefined {
  const maxFeePerGas = readBundlerQuantity(fieldOf(value, 'maxFeePerGas'), maxPrice);
  const maxPriorityFeePerGas = readBundlerQuantity(fieldOf(value, 'maxPriorityFeePerGas'), maxPrice);
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) return undefined;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** A field of an answer, which may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
