import type { Address, Hex } from 'viem';
import { z } from 'zod';

// A domain type that crosses process boundaries is a schema made of these. Its TypeScript type, its protobuf message (`npm
// run generate`) and its codec (core/grpc/codec) follow from the schema. Protobuf numbers: proto/field-numbers.json.

/** Values without a protobuf type, and numbers whose wire type is not `uint32`. */
export type ScalarName =
  | 'address'
  | 'hex'
  | 'amount'
  | 'signedAmount'
  | 'seconds'
  | 'chainId'
  | 'count'
  | 'signedCount'
  | 'sint32'
  | 'sint64'
  | 'uint64';

/** What a schema declares in addition to its type. A schema derived with `describe` or `refine` keeps it. */
export type MessageTraits = {
  readonly scalar?: ScalarName;
  /** Name of the message, for an object with its fields, or for a union with a field for each case. */
  readonly message?: string;
  /** The message whose only field holds the value. Without a name it is the request of the operation. */
  readonly within?: { readonly message?: string; readonly field: string; readonly value: z.ZodType };
  /** Name of the oneof with the cases of a union. */
  readonly oneof?: string;
  /** An empty list means absent. */
  readonly emptyIsAbsent?: true;
  /** The value for a choice that this program does not know; newer programs may have more. */
  readonly fallback?: string;
  /** The wire form, if the message has other fields than the domain type. */
  readonly travelsAs?: Travel;
};

type Travel = {
  readonly form: z.ZodType;
  readonly toForm: (domain: never) => unknown;
  readonly fromForm: (form: never) => unknown;
};

// Not of `MessageTraits`: the registry's type would look into the schemas in them.
const registry = z.registry<object>();

export function messageTraits(schema: z.ZodType): MessageTraits {
  return (registry.get(schema) ?? {}) as MessageTraits;
}

/** A copy of the schema with these traits added. */
export function withTraits<Schema extends z.ZodType>(schema: Schema, traits: MessageTraits): Schema {
  const copy = schema.clone();
  registry.add(copy, traits);
  return copy;
}

export const text = z.string();
export const flag = z.boolean();
/** Absent on the wire is `false`; in the domain the field is absent. */
export const trueOrAbsent = z.literal(true).exactOptional();
/** A whole number of at most 32 bits. */
export const integer = z.int();
export const float = z.number();
/** A checksummed address. */
export const address = withTraits(z.custom<Address>(), { scalar: 'address' });
/** `0x` and an even number of hex digits. */
export const hex = withTraits(z.custom<Hex>(), { scalar: 'hex' });
/** An unchecked address; its reader validates it. */
export const writtenAddress = withTraits(
  z.custom<Address>((value) => typeof value === 'string'),
  { scalar: 'hex' },
);
/** An integer of at most 256 bits, not negative. */
export const amount = withTraits(z.bigint(), { scalar: 'amount' });
/** An integer of at most 256 bits and a sign. */
export const signedAmount = withTraits(z.bigint(), { scalar: 'signedAmount' });
/** Unix seconds, or a duration in seconds. */
export const seconds = withTraits(z.number(), { scalar: 'seconds' });
export const chainId = withTraits(z.number(), { scalar: 'chainId' });
/** A whole number of at most 53 bits. */
export const count = withTraits(z.number(), { scalar: 'count' });
/** A whole number in a signed field. */
export const signedCount = withTraits(z.number(), { scalar: 'signedCount' });
/** A block number. */
export const blockNumber = withTraits(z.bigint(), { scalar: 'uint64' });
/** A number whose name is its protobuf type, for values that are often negative. */
export const sint32 = withTraits(z.int(), { scalar: 'sint32' });
export const sint64 = withTraits(z.number(), { scalar: 'sint64' });

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}

/** An optional list that is never empty in the domain, so that an empty one means absent. */
export function filledListOf<Item extends z.ZodType>(item: Item) {
  return withTraits(listOf(item), { emptyIsAbsent: true }).exactOptional();
}

/** A value in the only field of a message; without a name, of an operation's request. */
export function within<Schema extends z.ZodType>(field: string, value: Schema, message?: string): Schema {
  return withTraits(value, { within: { field, value, ...(message !== undefined && { message }) } });
}

/** A list in a message of its own. */
export function listMessage<Item extends z.ZodType>(name: string, field: string, item: Item) {
  return within(field, listOf(item), name);
}

/**
 * Texts that may be absent: protobuf cannot distinguish an absent list from an empty one, except in a message of its own.
 */
export function optionalListOf<Item extends z.ZodType>(item: Item) {
  return listMessage('StringList', 'values', item).exactOptional();
}

/** Texts by their names. */
export function textMap(name: string) {
  return within('entries', z.record(z.string(), z.string()).readonly(), name);
}

/**
 * A message of the gRPC service, and the domain type with the same fields. Its comments and those of its fields are
 * generated into the .proto file.
 */
export function message<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return asMessage(name, z.object(shape).readonly());
}

/** A schema of an object as a message. */
export function asMessage<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return withTraits(schema, { message: name });
}

/** The fields of a message, or those with these names, for reuse in another message. */
export function fieldsOf<Shape extends z.ZodRawShape, Name extends keyof Shape = keyof Shape>(
  schema: z.ZodReadonly<z.ZodObject<Shape>>,
  ...names: readonly Name[]
): Pick<Shape, Name> {
  const { shape } = schema.unwrap();
  if (names.length === 0) return shape;
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<Shape, Name>;
}

/** The input of an operation: the fields of its request. */
export function request<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).readonly();
}

/** A domain type that travels as another type, its form. */
export function travelsAs<Domain, Form extends z.ZodType>(
  form: Form,
  toForm: (domain: Domain) => z.output<Form>,
  fromForm: (form: z.output<Form>) => Domain,
): z.ZodType<Domain> {
  return withTraits(z.custom<Domain>(), { travelsAs: { form, toForm, fromForm } });
}
