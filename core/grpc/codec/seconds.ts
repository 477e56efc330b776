import type { Codec } from './codec.ts';

const bound = Number.MAX_SAFE_INTEGER;

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, -bound), bound);
}

/** Seconds: whole ones, rounded down, and no further from 0 than a double is exact. */
export const seconds: Codec<number, bigint> = {
  toWire: (value) => BigInt(Math.floor(clamp(value))),
  toDomain: (value) => clamp(Number(value)),
};
