import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { Codec } from './codec.ts';
import type { WireFields } from './mapping.ts';

type Cases<Oneof> = Extract<Oneof, { case: string }>;

/** For every case of a oneof, the codec of the domain type of that `kind`. */
type CaseCodecs<Domain extends { readonly kind: string }, Oneof> = {
  readonly [Case in Cases<Oneof>['case'] | Domain['kind']]: Codec<
    Extract<Domain, { readonly kind: Case }>,
    Extract<Oneof, { case: Case }> extends { value: infer Wire } ? Wire : never
  >;
};

/** A message of one oneof, and a union in the domain whose kinds are the names of its cases. */
export function alternatives<Domain extends { readonly kind: string }>() {
  return <Desc extends DescMessage, Name extends keyof WireFields<Desc> & string>(
    schema: Desc,
    name: Name,
    codecs: CaseCodecs<Domain, WireFields<Desc>[Name]>,
  ): Codec<Domain, MessageShape<Desc>> => {
    // Which codec it is depends on the value; the type of the codecs has made sure that there is a fitting one.
    const byCase = codecs as unknown as Record<string, Codec<unknown, unknown>>;
    return {
      toWire(domain) {
        const value = byCase[domain.kind]?.toWire(domain);
        return create(schema, { [name]: { case: domain.kind, value } } as unknown as MessageInitShape<Desc>);
      },
      toDomain(message) {
        const chosen = (message as unknown as Record<string, { case?: string; value?: unknown }>)[name];
        const codec = chosen?.case === undefined ? undefined : byCase[chosen.case];
        if (codec === undefined) throw new TypeError(`${schema.typeName}.${name} has none of its cases set`);
        return codec.toDomain(chosen?.value) as Domain;
      },
    };
  };
}
