import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { z } from 'zod';
import { type FieldShape, type MessageShape as Shape, shapeOf, travelOf, type ValueShape } from './message-shape.ts';
import { type Codec, same } from './scalars.ts';

type AnyCodec = Codec<unknown, unknown>;
type Fields = Record<string, unknown>;

const codecs = new WeakMap<z.ZodType, Codec<unknown, Message>>();

/**
 * The codec between a schema's values and their message. Absent stays absent. Errors name the field and never contain its
 * value. Throws if the message lacks a field of the schema: the generated code is older than the schema.
 */
export function messageCodec<Schema extends z.ZodType, Descriptor extends DescMessage>(
  schema: Schema,
  descriptor: Descriptor,
): Codec<z.output<Schema>, MessageShape<Descriptor>> {
  const codec = codecs.get(schema) ?? makeCodec(schema, descriptor);
  codecs.set(schema, codec);
  return codec as unknown as Codec<z.output<Schema>, MessageShape<Descriptor>>; // of the schema and of the descriptor that was generated from it
}

function makeCodec(schema: z.ZodType, descriptor: DescMessage): Codec<unknown, Message> {
  const travelsAs = travelOf(schema);
  if (travelsAs !== undefined) {
    const form = messageCodec(travelsAs.form, descriptor);
    const { toForm, fromForm } = travelsAs;
    return {
      toWire: (domain) => form.toWire(toForm(domain as never)),
      toDomain: (wire) => fromForm(form.toDomain(wire) as never),
    };
  }
  const shape = shapeOf(schema);
  return shape.oneof === undefined ? fieldsCodec(shape, descriptor) : unionCodec(shape, shape.oneof, descriptor);
}

const outdated = 'Run npm run generate';

type FieldPlan = {
  readonly name: string;
  readonly localName: string;
  /** For error messages. */
  readonly location: string;
  /** Absent if no conversion is needed. */
  readonly toWire: AnyCodec['toWire'] | undefined;
  readonly toDomain: AnyCodec['toDomain'] | undefined;
  readonly isOptional: boolean;
  /** Whether the wire distinguishes an absent value from an empty one. */
  readonly hasPresence: boolean;
  readonly whenAbsent: unknown;
};

function planOf(field: FieldShape, descriptor: DescMessage): FieldPlan {
  const { name, isOptional, whenAbsent } = field;
  const described = descriptor.field[name];
  if (described === undefined) throw new TypeError(`${descriptor.typeName} has no field ${name}. ${outdated}`);
  const location = `${descriptor.typeName}.${described.name}`;
  if (!fits(field.value, described)) throw new TypeError(`${location} is of another type than its schema. ${outdated}`);
  const codec = fieldCodec(field, described);
  const hasPresence = described.presence !== FeatureSet_FieldPresence.IMPLICIT;
  const toWire = codec.toWire === same ? undefined : codec.toWire;
  const toDomain = codec.toDomain === same ? undefined : codec.toDomain;
  return { name, localName: described.localName, location, toWire, toDomain, isOptional, hasPresence, whenAbsent };
}

function fits(value: ValueShape, field: DescField): boolean {
  if (value.kind !== 'list') return field.fieldKind === value.kind && isOfType(value, field.scalar);
  return field.fieldKind === 'list' && field.listKind === value.item.kind && isOfType(value.item, field.scalar);
}

function isOfType(value: ValueShape, type: ScalarType | undefined): boolean {
  return value.kind !== 'scalar' || (type !== undefined && ScalarType[type].toLowerCase() === value.scalar.type);
}

function fieldCodec({ value, emptyIsAbsent }: FieldShape, field: DescField): AnyCodec {
  const codec = valueCodec(value, field);
  if (!emptyIsAbsent) return codec;
  return {
    toWire: (values) => codec.toWire(values ?? []),
    toDomain: (values) => ((values as unknown[]).length === 0 ? undefined : codec.toDomain(values)),
  };
}

function valueCodec(value: ValueShape, field: DescField): AnyCodec {
  switch (value.kind) {
    case 'scalar':
      return value.scalar.codec;
    case 'map':
      return { toWire: (entries) => ({ ...(entries as object) }), toDomain: (entries) => entries };
    case 'list': {
      const { toWire, toDomain } = valueCodec(value.item, field);
      return {
        toWire: (values) => (values as unknown[]).map((one) => toWire(one)),
        toDomain: (values) => (values as unknown[]).map((one) => toDomain(one)),
      };
    }
    case 'message':
      return messageCodec(value.schema, field.message as DescMessage) as AnyCodec; // `fits` has checked that there is one
  }
}

function fieldsCodec(shape: Shape, descriptor: DescMessage): Codec<unknown, Message> {
  const plans = shape.fields.map((field) => planOf(field, descriptor));
  const missing = descriptor.fields.find(({ localName }) => !plans.some((plan) => plan.localName === localName));
  if (missing !== undefined) throw new TypeError(`${descriptor.typeName}.${missing.name} is in no schema. ${outdated}`);
  const [only] = plans;
  if (shape.isSoleField && only !== undefined) {
    return {
      toWire: (value) => write(descriptor, plans, { [only.name]: value }),
      toDomain: (wire) => read(plans, wire, {})[only.name],
    };
  }
  return {
    toWire: (domain) => write(descriptor, plans, domain as Fields),
    toDomain: (wire) => (plans.length === 0 ? undefined : read(plans, wire, { ...shape.constants })),
  };
}

/** A union of the domain in the oneof of a message. */
function unionCodec({ fields }: Shape, oneof: string, descriptor: DescMessage): Codec<unknown, Message> {
  const plans = new Map(fields.map((field) => [field.name, planOf(field, descriptor)]));
  return {
    toWire(domain) {
      const { kind } = domain as { readonly kind: string };
      const value = plans.get(kind)?.toWire?.(domain);
      return Object.assign({ $typeName: descriptor.typeName }, { [oneof]: { case: kind, value } });
    },
    toDomain(wire) {
      const chosen = (wire as Message & Fields)[oneof] as { readonly case?: string; readonly value?: unknown };
      const plan = chosen.case === undefined ? undefined : plans.get(chosen.case);
      if (plan?.toDomain === undefined)
        throw new MisfitError(`${descriptor.typeName}.${oneof} has none of its cases set`);
      return plan.toDomain(chosen.value);
    },
  };
}

function write({ typeName: $typeName }: DescMessage, plans: readonly FieldPlan[], domain: Fields): Message {
  // As `create` builds it, which would first give each field its empty value. The plans cover all fields.
  const message: Message & Fields = { $typeName };
  for (const plan of plans) {
    const value = domain[plan.name];
    // What is absent, and read as its default, is not written; a default of zero is what nothing written means.
    if (value === undefined && (plan.whenAbsent !== undefined || (plan.hasPresence && plan.isOptional))) continue;
    try {
      message[plan.localName] = plan.toWire === undefined ? required(value) : plan.toWire(value);
    } catch (cause) {
      throw misfit(plan, cause);
    }
  }
  return message;
}

function read(plans: readonly FieldPlan[], message: Message, fields: Fields): Fields {
  for (const plan of plans) {
    const wire = (message as Message & Fields)[plan.localName];
    try {
      const value =
        plan.hasPresence && wire === undefined
          ? absent(plan)
          : plan.toDomain === undefined
            ? wire
            : plan.toDomain(wire);
      if (value !== undefined) fields[plan.name] = value;
    } catch (cause) {
      throw misfit(plan, cause);
    }
  }
  return fields;
}

function required(value: unknown): unknown {
  if (value === undefined) throw new TypeError('a required value is missing');
  return value;
}

function absent({ isOptional, whenAbsent }: FieldPlan): unknown {
  if (isOptional || whenAbsent !== undefined) return whenAbsent;
  throw new TypeError('a required value is missing');
}

function misfit({ location }: FieldPlan, cause: unknown): Error {
  if (cause instanceof MisfitError) return cause;
  return new MisfitError(`${location}: ${cause instanceof Error ? cause.message : 'does not fit'}`, { cause });
}

/** The innermost field is the most specific. */
class MisfitError extends TypeError {}
