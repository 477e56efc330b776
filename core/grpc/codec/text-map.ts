import type { Codec } from './codec.ts';

/** Texts by their names, as they are. */
export const textMap: Codec<Readonly<Record<string, string>>, Record<string, string>> = {
  toWire: (entries) => ({ ...entries }),
  toDomain: (entries) => entries,
};
