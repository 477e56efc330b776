import type { Codec } from './codec.ts';

/** A number that cannot be a chain id travels as 0, which is none either: both are refused alike. */
export const chainId: Codec<number, bigint> = {
  toWire: (value) => (Number.isSafeInteger(value) && value > 0 ? BigInt(value) : 0n),
  toDomain: (value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : 0),
};
