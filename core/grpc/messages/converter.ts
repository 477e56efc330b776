import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';

/** A domain value and its message, both ways. */
export type Converter<Domain, Message> = {
  readonly toMessage: (domain: Domain) => Message;
  readonly toDomain: (message: Message) => Domain;
};

/** Makes a converter from a generated schema, the fields of the message and the way back. */
export function converter<Domain, Desc extends DescMessage>(
  schema: Desc,
  toFields: (domain: Domain) => MessageInitShape<Desc>,
  toDomain: (message: MessageShape<Desc>) => Domain,
): Converter<Domain, MessageShape<Desc>> {
  return { toMessage: (domain) => create(schema, toFields(domain)), toDomain };
}
