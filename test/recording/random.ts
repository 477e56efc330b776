/** Numbers that are the same again for the same seed. */
export type Random = {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  /** True in this share of the cases. */
  chance(share: number): boolean;
};

/** A generator of 32 bits (xorshift), begun with a seed. */
export function createRandom(seed: number): Random {
  let state = (seed ^ 0x9e37_79b9) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (values) => {
      const picked = values[below(values.length)];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
  };
}
