import type { Codec } from './codec.ts';

/** One of the texts, or of the numbers, of a list. */
export function oneOf<const T extends Wire, Wire extends string | number = T extends string ? string : number>(
  known: readonly T[],
): Codec<T, Wire> {
  return {
    toWire: (value) => value,
    toDomain(wire) {
      const found = known.find((one) => one === wire);
      if (found !== undefined) return found;
      throw new TypeError(`one of ${known.join(', ')} is expected here`);
    },
  };
}
