import type { Codec } from './codec.ts';

/** A list of what a codec is for. */
export function listOf<Domain, Wire>(item: Codec<Domain, Wire>): Codec<readonly Domain[], Wire[]> {
  return { toWire: (values) => values.map(item.toWire), toDomain: (values) => values.map(item.toDomain) };
}

/** A list that is not empty in the domain: an empty one on the wire is an absent one. */
export function filledListOf<Domain, Wire>(item: Codec<Domain, Wire>): Codec<readonly Domain[] | undefined, Wire[]> {
  const list = listOf(item);
  return {
    toWire: (values) => list.toWire(values ?? []),
    toDomain: (values) => (values.length === 0 ? undefined : list.toDomain(values)),
  };
}

/** Texts as they are. */
export const texts: Codec<readonly string[], string[]> = {
  toWire: (values) => [...values],
  toDomain: (values) => values,
};

/** Texts of which there is one at least in the domain: none on the wire are absent ones. */
export const filledTexts: Codec<readonly string[] | undefined, string[]> = filledListOf<string, string>({
  toWire: (text) => text,
  toDomain: (text) => text,
});
