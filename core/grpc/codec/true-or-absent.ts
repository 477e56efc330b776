import type { Codec } from './codec.ts';

/** A property that is `true` or not there. */
export const trueOrAbsent: Codec<true | undefined, boolean> = {
  toWire: (value) => value ?? false,
  toDomain: (value) => value || undefined,
};
