import { create, type DescField, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { Codec } from './codec.ts';
import type { Mapping } from './mapping.ts';
import type { PresenceCodec } from './presence.ts';

type UncheckedCodec = Codec<unknown, unknown> & Partial<PresenceCodec<unknown, unknown>>;
type UncheckedFields = Record<string, unknown>;

type FieldPlan = {
  readonly name: string;
  /** Where it stands, for the reader of the error. */
  readonly location: string;
  readonly codec: UncheckedCodec;
  /** Whether the wire tells an absent value from an empty one. */
  readonly mayBeAbsent: boolean;
};

/**
 * The one converter between domain types and messages: goes through the fields of a message's descriptor, copies what has
 * no codec in the mapping, and gives the rest to its codec. Absent stays absent. A message without fields is `undefined` in
 * the domain. Errors name the field; they never hold its value.
 *
 * `Mapping` makes sure that the types fit; what it cannot see is checked here, once for each message at the start.
 */
export function createMessageCodec<Domain, Desc extends DescMessage>(
  schema: Desc,
  mapping: Mapping<Domain, Desc> | undefined,
): Codec<Domain, MessageShape<Desc>> {
  // From here on nothing is typed by field: a mapping's type has made sure that its codecs fit their fields.
  const plans = planFields(schema, (mapping ?? {}) as unknown as Record<string, UncheckedCodec>);
  return {
    toWire: (domain) => create(schema, write(plans, domain as UncheckedFields) as MessageInitShape<Desc>),
    toDomain: (message) =>
      (plans.length === 0 ? undefined : read(plans, message as unknown as UncheckedFields)) as Domain,
  };
}

function planFields(schema: DescMessage, mapping: Record<string, UncheckedCodec>): readonly FieldPlan[] {
  const unknown = Object.keys(mapping).find((name) => schema.field[name] === undefined);
  if (unknown !== undefined) throw new TypeError(`${schema.typeName} has no field ${unknown}`);
  return schema.fields.map((field) => ({
    name: field.localName,
    location: `${schema.typeName}.${field.name}`,
    codec: mapping[field.localName] ?? copyOf(field),
    mayBeAbsent: field.presence !== FeatureSet_FieldPresence.IMPLICIT,
  }));
}

/** Copies texts, numbers and booleans, alone and in lists. */
function copyOf(field: DescField): UncheckedCodec {
  const location = `${field.parent.typeName}.${field.name}`;
  const isPlain = field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar');
  if (!isPlain || field.oneof !== undefined) throw new TypeError(`${location} needs a codec`);
  return {
    toWire: (value) => {
      if (value === undefined) throw new TypeError('a required value is missing');
      return Array.isArray(value) ? [...value] : value;
    },
    toDomain: (value) => value,
  };
}

function write(plans: readonly FieldPlan[], domain: UncheckedFields): UncheckedFields {
  const fields: UncheckedFields = {};
  for (const { name, location, codec, mayBeAbsent } of plans) {
    const value = domain[name];
    if (value === undefined && mayBeAbsent) continue;
    fields[name] = at(location, () => codec.toWire(value));
  }
  return fields;
}

function read(plans: readonly FieldPlan[], message: UncheckedFields): UncheckedFields {
  const fields: UncheckedFields = {};
  for (const { name, location, codec, mayBeAbsent } of plans) {
    const wire = message[name];
    const isAbsent = mayBeAbsent && wire === undefined;
    const value = isAbsent ? at(location, () => codec.whenAbsent?.()) : at(location, () => codec.toDomain(wire));
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function at<T>(location: string, convert: () => T): T {
  try {
    return convert();
  } catch (cause) {
    if (cause instanceof MisfitError) throw cause;
    throw new MisfitError(`${location}: ${cause instanceof Error ? cause.message : 'does not fit'}`, { cause });
  }
}

/** The innermost field tells most. */
class MisfitError extends TypeError {}
