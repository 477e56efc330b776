import { type Address, isAddressEqual, parseAbi } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { UniswapPriceConfig } from '../domain/core-config.ts';
import type { ChainClient } from '../node/chain-client.ts';
import {
  createObservedPrice,
  type Decimal,
  type Observation,
  type PriceSource,
  type ReadNote,
} from './price-source.ts';
import type { ReadOutcome } from './shared-read.ts';

const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)',
]);
const decimalsAbi = parseAbi(['function decimals() view returns (uint8)']);

/** Decimals of a price in quote tokens: enough for 20 significant ones at the lowest tick and 36 decimals. */
const priceDecimals = 100;

/** The token to price. For the chain's own coin, the pool contains its wrapper, whose address is not needed. */
export type PricedToken = { readonly address: Address | undefined; readonly decimals: number };

type Pool = { readonly quoteIsToken0: boolean; readonly quoteDecimals: number };

/**
 * The time-weighted mean price of a Uniswap v3 pool over a window that ends with the latest block, times the price of the
 * pool's other token. Dated by that block. The mean is geometric and rounded to a whole tick, so it is off by up to one
 * basis point.
 */
export function createUniswapPrice(
  config: UniswapPriceConfig,
  context: {
    readonly client: ChainClient;
    readonly clock: Clock;
    readonly noteRead?: ReadNote | undefined;
    readonly priced: PricedToken;
    readonly quote: PriceSource;
  },
): PriceSource {
  const { client, clock, noteRead, priced, quote } = context;
  let pool: Pool | undefined;

  async function observe(): Promise<ReadOutcome<Observation>> {
    if (pool === undefined) {
      const opened = await openPool(client, config, priced);
      if ('problem' in opened) return opened;
      pool = opened.value;
    }
    const block = await client.getBlock();
    const [tickCumulatives] = await client.readContract({
      address: config.pool,
      abi: poolAbi,
      functionName: 'observe',
      args: [[config.windowSeconds, 0]],
      blockNumber: block.number,
    });
    const [before, now] = tickCumulatives;
    if (before === undefined || now === undefined) return { problem: 'could not be read' };
    const tick = Number(meanTick(now - before, config.windowSeconds));
    if (Math.abs(tick) > maxTick) return { problem: 'has a mean tick outside the range of any pool' };
    const price = priceAtTick(tick, { ...pool, pricedDecimals: priced.decimals });
    return { value: { price, observedAt: Number(block.timestamp) } };
  }

  const readMean = createObservedPrice({ observe, maxAgeSeconds: config.maxAgeSeconds, clock, noteRead });
  return {
    kind: 'uniswap-v3',
    read: async () => {
      const [mean, quoteUsd] = await Promise.all([readMean(), quote.read()]);
      if ('problem' in mean) return mean;
      if ('problem' in quoteUsd) {
        return { problem: `has no price of its quote token, whose ${quote.kind} source ${quoteUsd.problem}` };
      }
      return { price: multiply(mean.price, quoteUsd.price) };
    },
  };
}

/** Quote tokens for one whole priced token, when the pool is at this tick. */
export function priceAtTick(tick: number, pool: Pool & { readonly pricedDecimals: number }): Decimal {
  const ratio = tickRatio(tick);
  const [numerator, denominator] = pool.quoteIsToken0
    ? [ratio.denominator, ratio.numerator]
    : [ratio.numerator, ratio.denominator];
  const value =
    (numerator * 10n ** BigInt(priceDecimals + pool.pricedDecimals)) /
    (denominator * 10n ** BigInt(pool.quoteDecimals));
  return { value, decimals: priceDecimals };
}

function multiply(a: Decimal, b: Decimal): Decimal {
  return { value: a.value * b.value, decimals: a.decimals + b.decimals };
}

/** Determines which side of the pool is which. A pool of other tokens is refused. */
async function openPool(
  client: ChainClient,
  config: UniswapPriceConfig,
  priced: PricedToken,
): Promise<ReadOutcome<Pool>> {
  const contract = { address: config.pool, abi: poolAbi } as const;
  const [token0, token1] = await Promise.all([
    client.readContract({ ...contract, functionName: 'token0' }),
    client.readContract({ ...contract, functionName: 'token1' }),
  ]);
  const quoteIsToken0 = isAddressEqual(token0, config.quoteToken);
  if (!quoteIsToken0 && !isAddressEqual(token1, config.quoteToken))
    return { problem: 'has a pool without its quote token' };
  const pricedAddress = quoteIsToken0 ? token1 : token0;
  if (priced.address !== undefined && !isAddressEqual(pricedAddress, priced.address)) {
    return { problem: 'has a pool without the token' };
  }
  const [pricedDecimals, quoteDecimals] = await Promise.all([
    client.readContract({ address: pricedAddress, abi: decimalsAbi, functionName: 'decimals' }),
    client.readContract({ address: config.quoteToken, abi: decimalsAbi, functionName: 'decimals' }),
  ]);
  if (pricedDecimals !== priced.decimals) return { problem: 'has a pool whose token has other decimals' };
  return { value: { quoteIsToken0, quoteDecimals } };
}

/** A positive rational number. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

/** The furthest tick of a Uniswap v3 pool from 0: prices from 2^-128 to 2^128 (`TickMath.MAX_TICK`). */
export const maxTick = 887_272;

/**
 * Fraction bits of the fixed point. Each of the 40 roundings loses less than 2^-256 of the value; squaring doubles the loss.
 */
const fractionBits = 256n;
const one = 1n << fractionBits;

/** 1.0001, the price of one tick, rounded down. */
const oneTick = (one * 10_001n) / 10_000n;

/**
 * The price of a tick of a Uniswap v3 pool, `1.0001^tick`: base units of token1 for one base unit of token0. Below the
 * exact number by less than one part in 10^60, above it for a negative tick.
 *
 * @throws RangeError for a number that is not a tick.
 */
export function tickRatio(tick: number): Ratio {
  if (!Number.isInteger(tick) || Math.abs(tick) > maxTick) throw new RangeError('Not a tick of a Uniswap v3 pool.');
  let power = one;
  let square = oneTick;
  for (let rest = Math.abs(tick); rest > 0; rest >>= 1) {
    if ((rest & 1) === 1) power = (power * square) >> fractionBits;
    square = (square * square) >> fractionBits;
  }
  return tick < 0 ? { numerator: one, denominator: power } : { numerator: power, denominator: one };
}

/** The mean tick of a window from the pool's accumulator (tick times seconds), rounded down as the pool does. */
export function meanTick(accumulated: bigint, seconds: number): bigint {
  const divisor = BigInt(seconds);
  const quotient = accumulated / divisor;
  return accumulated < 0n && accumulated % divisor !== 0n ? quotient - 1n : quotient;
}
