/** Numbers that depend on nothing but the seed. */
export type SeededRandom = {
  /** From 0 to `below - 1`. */
  below(below: number): number;
  /** From `least` to `max`, both included. */
  between(min: number, max: number): number;
  /** True so many times in a hundred. */
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

/** A 32-bit counter, mixed (the generator known as mulberry32). */
export function createSeededRandom(seed: number): SeededRandom {
  let counter = Math.imul(seed + 1, 0x9e3779b1) >>> 0;

  function next(): number {
    counter = (counter + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 15), counter | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  const below = (bound: number): number => Math.floor((next() / 2 ** 32) * bound);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  };
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (percent) => below(100) < percent,
    pick,
    shuffle: (list) => {
      const rest = [...list];
      return list.flatMap(() => rest.splice(below(rest.length), 1));
    },
  };
}
