import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { adapted } from './adapted.ts';
import type { Codec } from './codec.ts';
import { createMessageCodec } from './create-message-codec.ts';
import type { Mapping, WireFields } from './mapping.ts';
import type { PresenceCodec } from './presence.ts';

type Only<Desc extends DescMessage> = WireFields<Desc>[keyof WireFields<Desc>];

/** The codec of a message's only field: it must know what absence means, where the field can be absent. */
type OnlyCodec<Domain, Wire> = undefined extends Wire
  ? PresenceCodec<Domain, Exclude<Wire, undefined>>
  : Codec<Domain, Wire>;

/** A message of one field that stands for the value of the field: proto has lists and maps in messages only. */
export function soleField<Domain, Desc extends DescMessage>(
  schema: Desc,
  codec: OnlyCodec<Domain, Only<Desc>>,
): Codec<Domain, MessageShape<Desc>> {
  const [field, ...others] = schema.fields;
  if (field === undefined || others.length > 0) throw new TypeError(`${schema.typeName} must have exactly one field`);
  const { localName } = field;
  // The name is known only now, so neither the mapping nor the object with the one field can be typed by it.
  const mapping = { [localName]: codec } as unknown as Mapping<Record<string, Domain>, Desc>;
  return adapted(
    createMessageCodec<Record<string, Domain>, Desc>(schema, mapping),
    (value) => ({ [localName]: value }),
    (fields) => fields[localName] as Domain,
  );
}
