import { adapted } from './adapted.ts';
import type { Codec } from './codec.ts';

/** A codec of a type that says its `kind`, which the type of its message says already. */
export function tagged<Kind extends string, Rest extends object, Wire>(
  kind: Kind,
  codec: Codec<Rest, Wire>,
): Codec<{ readonly kind: Kind } & Rest, Wire> {
  return adapted(
    codec,
    (domain) => domain,
    (rest) => ({ kind, ...rest }),
  );
}
