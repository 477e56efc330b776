import { z } from 'zod';
import { type MessageTraits, messageTraits } from '../../base/message-schema.ts';
import { flag, float, integer, oneOf, type Scalar, scalars, text, trueOrAbsent } from './scalars.ts';

/** A schema's meaning in protobuf, read by the .proto generator and the codecs. */
export type MessageShape = {
  /** Absent for the request of an operation, which is named after the operation. */
  readonly name: string | undefined;
  readonly fields: readonly FieldShape[];
  /** Values that are constant and not sent. */
  readonly constants: Readonly<Record<string, string>>;
  /** The oneof of all fields, for a union of the domain whose kinds are the field names. */
  readonly oneof: string | undefined;
  /** Whether the value is that of the only field. */
  readonly isSoleField: boolean;
};

export type FieldShape = {
  /** In the domain; in protobuf it is written with underscores. */
  readonly name: string;
  readonly value: ValueShape;
  /** Whether it is `optional` on the wire, unless its message is older than this rule. */
  readonly hasLabel: boolean;
  /** Whether the domain value may be absent. */
  readonly isOptional: boolean;
  /** Whether an empty list means absent. */
  readonly emptyIsAbsent: boolean;
  /** The value for an absent field. */
  readonly whenAbsent: unknown;
  /** Of the API, for a field that the message has from there. */
  readonly description: string | undefined;
};

export type ValueShape =
  | { readonly kind: 'scalar'; readonly scalar: Scalar; readonly choices?: readonly (string | number)[] }
  | { readonly kind: 'message'; readonly schema: z.ZodType }
  | { readonly kind: 'list'; readonly item: ValueShape }
  | { readonly kind: 'map' };

/** The shape of the message that a value of the schema travels in. */
export function shapeOf(schema: z.ZodType): MessageShape {
  const { base, traits } = unwrap(schema);
  const { message: name, oneof, within } = traits;
  const message = { name, constants: {}, oneof, isSoleField: false };
  if (within === undefined && traits.travelsAs !== undefined) return shapeOf(traits.travelsAs.form);
  if (within !== undefined) {
    return { ...message, name: within.message, isSoleField: true, fields: [fieldOf(within.field, within.value)] };
  }
  if (base instanceof z.ZodDiscriminatedUnion) {
    return {
      ...message,
      fields: (base.options as readonly z.ZodType[]).map((option) => fieldOf(kindOf(option), option)),
    };
  }
  if (!(base instanceof z.ZodObject)) throw new TypeError(`${name ?? base.def.type} is no message`);
  const all = Object.entries(base.shape as Readonly<Record<string, z.ZodType>>);
  const constants = all.flatMap(([key, field]) => (isConstant(field) ? [[key, field.value] as const] : []));
  const fields = all.filter(([, field]) => !isConstant(field)).map(([key, field]) => fieldOf(key, field));
  return { ...message, fields, constants: Object.fromEntries(constants) };
}

/** How a value travels, if its message has other fields than the domain type. */
export function travelOf(schema: z.ZodType): MessageTraits['travelsAs'] {
  const { within, travelsAs } = unwrap(schema).traits;
  return within === undefined ? travelsAs : undefined;
}

/** The case of a union. */
function kindOf(option: z.ZodType): string {
  const { kind } = shapeOf(option).constants;
  if (kind === undefined) throw new TypeError('a case of a union needs a constant `kind`');
  return kind;
}

function isConstant(field: z.ZodType): field is z.ZodLiteral<string> {
  return field instanceof z.ZodLiteral && typeof field.value === 'string';
}

function fieldOf(name: string, schema: z.ZodType): FieldShape {
  const { base, traits, isOptional, whenAbsent } = unwrap(schema);
  const value = valueShape(schema, base, traits);
  const isImplicit = value.kind === 'list' || value.kind === 'map' || isTrueOrAbsent(base) || isZero(whenAbsent);
  const { emptyIsAbsent = false } = traits;
  return {
    name,
    value,
    isOptional,
    emptyIsAbsent,
    whenAbsent,
    description: schema.description,
    hasLabel: !isImplicit && (isOptional || (value.kind === 'scalar' && whenAbsent !== undefined)),
  };
}

function isZero(value: unknown): boolean {
  return value === false || value === 0 || value === '';
}

function isTrueOrAbsent(base: z.ZodType): boolean {
  return base instanceof z.ZodLiteral && base.values.has(true);
}

function valueShape(schema: z.ZodType, base: z.ZodType, traits: MessageTraits): ValueShape {
  if (traits.within !== undefined || traits.message !== undefined || traits.travelsAs !== undefined) {
    return { kind: 'message', schema };
  }
  if (traits.scalar !== undefined) return { kind: 'scalar', scalar: scalars[traits.scalar] };
  if (base instanceof z.ZodArray) return { kind: 'list', item: fieldOf('', base.element as z.ZodType).value };
  if (base instanceof z.ZodRecord) return { kind: 'map' };
  const choices = choicesOf(base);
  if (choices !== undefined) return { kind: 'scalar', scalar: oneOf(choices, traits.fallback), choices };
  return { kind: 'scalar', scalar: plainScalar(base) };
}

function choicesOf(base: z.ZodType): readonly (string | number)[] | undefined {
  if (base instanceof z.ZodEnum) return base.options;
  return base instanceof z.ZodLiteral && !isTrueOrAbsent(base) ? [...(base.values as Set<string | number>)] : undefined;
}

function plainScalar(base: z.ZodType): Scalar {
  if (isTrueOrAbsent(base)) return trueOrAbsent;
  if (base instanceof z.ZodString) return text;
  if (base instanceof z.ZodBoolean) return flag;
  if (base instanceof z.ZodNumber) return base instanceof z.ZodNumberFormat ? integer : float;
  throw new TypeError(`${base.def.type} does not travel`);
}

type Unwrapped = {
  readonly base: z.ZodType;
  readonly traits: MessageTraits;
  readonly isOptional: boolean;
  readonly whenAbsent: unknown;
};

/** The inner schema, and what its wrappers declare. */
function unwrap(schema: z.ZodType): Unwrapped {
  const own = messageTraits(schema);
  const inner = innerOf(schema);
  if (inner === undefined) return { base: schema, traits: own, isOptional: false, whenAbsent: undefined };
  const unwrapped = unwrap(inner);
  return {
    base: unwrapped.base,
    traits: { ...unwrapped.traits, ...own },
    isOptional: schema instanceof z.ZodExactOptional || unwrapped.isOptional,
    whenAbsent: schema instanceof z.ZodDefault ? schema.def.defaultValue : unwrapped.whenAbsent,
  };
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.def.out as z.ZodType;
  const wraps =
    schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly;
  return wraps ? (schema.def.innerType as z.ZodType) : undefined;
}
