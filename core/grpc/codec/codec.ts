/** Converts a domain value to the wire and back. Both throw on a value that only a bug or a broken peer produces. */
export type Codec<Domain, Wire> = {
  readonly toWire: (domain: Domain) => Wire;
  readonly toDomain: (wire: Wire) => Domain;
};
