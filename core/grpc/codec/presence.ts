import type { Codec } from './codec.ts';

/** A codec that knows what an absent message stands for. */
export type PresenceCodec<Domain, Wire> = Codec<Domain, Wire> & { readonly whenAbsent: () => Domain };

/** A message that must be there. */
export function required<Domain, Wire>(codec: Codec<Domain, Wire>): PresenceCodec<Domain, Wire> {
  return {
    ...codec,
    whenAbsent: () => {
      throw new TypeError('a required value is missing');
    },
  };
}

/** A message whose absence stands for a value. */
export function absentAs<Domain, Wire>(value: Domain, codec: Codec<Domain, Wire>): PresenceCodec<Domain, Wire> {
  return { ...codec, whenAbsent: () => value };
}
