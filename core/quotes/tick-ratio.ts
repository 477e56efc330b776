/** A positive rational number. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

/** The furthest tick of a Uniswap v3 pool from 0: prices from 2^-128 to 2^128 (`TickMath.MAX_TICK`). */
export const maxTick = 887_272;

/** Fraction bits of the fixed point. Each of the 40 roundings loses less than 2^-256 of the value, squarings double it. */
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

/** The mean tick of a window from what the pool counts up (tick times seconds), rounded down as the pool does. */
export function meanTick(accumulated: bigint, seconds: number): bigint {
  const divisor = BigInt(seconds);
  const quotient = accumulated / divisor;
  return accumulated < 0n && accumulated % divisor !== 0n ? quotient - 1n : quotient;
}
