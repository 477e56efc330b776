import type { Codec } from './codec.ts';

/** A whole number. */
export const count: Codec<number, bigint> = { toWire: BigInt, toDomain: Number };
