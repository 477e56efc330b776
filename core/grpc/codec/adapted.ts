import type { Codec } from './codec.ts';

/** A codec for a domain type that is another one in a different form. */
export function adapted<Domain, Form, Wire>(
  codec: Codec<Form, Wire>,
  toForm: (domain: Domain) => Form,
  fromForm: (form: Form) => Domain,
): Codec<Domain, Wire> {
  return {
    toWire: (domain) => codec.toWire(toForm(domain)),
    toDomain: (wire) => fromForm(codec.toDomain(wire)),
  };
}
