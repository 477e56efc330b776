/** How a value of the domain travels, both ways. Either throws on a value that only a bug or a broken peer makes. */
export type Codec<Domain, Wire> = {
  readonly toWire: (domain: Domain) => Wire;
  readonly toDomain: (wire: Wire) => Domain;
};
