import type { Clock } from '../base/time/clock.ts';
import type { GasPrice, GasPrices } from '../domain/bundling.ts';
import { readBundlerQuantity } from '../gas/bundler-quantity.ts';
import type { BundlerClient } from '../node/bundler-client.ts';
import { lacksMethod } from './reply-refusals.ts';

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
