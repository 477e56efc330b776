import { hasForm, type InCore, scalarOf, suffixOf } from '@tollfree/contract/fields/form';
import { z } from 'zod';
import * as core from './message-schema.ts';

/** The core's schemas of the values that the API names with `ofScalar`. */
const scalars = {
  address: core.address,
  hex: core.hex,
  amount: core.amount,
  signedAmount: core.signedAmount,
  seconds: core.seconds,
  chainId: core.chainId,
  count: core.count,
  signedCount: core.signedCount,
  integer: core.integer,
  text: core.text,
};
type Scalars = typeof scalars;

type Parts<Shape> = { readonly [Name in keyof Shape]?: z.ZodType };
type CoreFields<Shape, Given> = {
  [Name in keyof Shape as NameInCore<Name, Shape[Name]>]: Wrapped<
    Shape[Name],
    Name extends keyof Given ? Extract<Given[Name], z.ZodType> : CoreValue<Innermost<Shape[Name]>>
  >;
};

type NameInCore<Name, Schema> =
  Schema extends z.ZodOptional<infer Inner>
    ? NameInCore<Name, Inner>
    : Schema extends InCore<string, infer Suffix>
      ? [Suffix] extends [never]
        ? Name
        : `${Name & string}${Suffix}`
      : Name;

type Wrapped<Schema, Value extends z.ZodType> =
  Schema extends z.ZodOptional<infer Inner>
    ? z.ZodExactOptional<Wrapped<Inner, Value>>
    : Schema extends z.ZodArray
      ? z.ZodReadonly<z.ZodArray<Value>>
      : Value;

type Innermost<Schema> = Schema extends z.ZodOptional<infer Inner> | z.ZodArray<infer Inner>
  ? Innermost<Inner>
  : Schema;

type CoreValue<Schema> =
  Schema extends InCore<infer Scalar, string>
    ? Scalars[Scalar & keyof Scalars]
    : Schema extends z.ZodString | z.ZodBoolean | z.ZodNumber | z.ZodEnum | z.ZodLiteral
      ? Schema
      : z.ZodNever;

/**
 * The fields of an object of the API for a message, with their descriptions. `parts` has the core's schemas of the values that
 * differ in another way than by a scalar: objects, which are messages, and values with names of their own in the core.
 */
export function fieldsOfApi<Shape extends z.ZodRawShape, Given extends Parts<Shape> = object>(
  { shape }: z.ZodObject<Shape>,
  parts?: Given,
): CoreFields<Shape, Given> {
  const given = (parts ?? {}) as Readonly<Record<string, z.ZodType>>;
  const fields = Object.entries(shape).map(([name, field]) => {
    const { schema, description } = inCore(field as z.ZodType, given[name]);
    const described = description === undefined ? schema : schema.describe(description);
    return [`${name}${suffixOf(field as z.ZodType) ?? ''}`, described] as const;
  });
  return Object.fromEntries(fields) as CoreFields<Shape, Given>;
}

type Choices<Shape> = {
  readonly [Name in keyof Shape as Innermost<Shape[Name]> extends z.ZodEnum ? Name : never]: z.ZodString;
};
/** {@link fieldsSent}. */
export type SentFields<Shape, Given> = CoreFields<Shape, Omit<Choices<Shape>, keyof Given> & Given>;

/** The fields of what callers send to the API: choices are texts, because the core checks and refuses them itself. */
export function fieldsSent<Shape extends z.ZodRawShape, Given extends Parts<Shape>>(
  object: z.ZodObject<Shape>,
  parts?: Given,
): SentFields<Shape, Given> {
  const choices = Object.entries(object.shape).filter(([, field]) => innermost(field) instanceof z.ZodEnum);
  const texts = Object.fromEntries(choices.map(([name]) => [name, core.text]));
  return fieldsOfApi(object, { ...texts, ...parts } as Parts<Shape>) as object as SentFields<Shape, Given>;
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodArray ? innermost(schema.unwrap()) : schema;
}

type Texts<Shape> = { readonly [Name in keyof Shape]: z.ZodExactOptional<z.ZodString> };

/** Fields of an object of the RPC endpoint as a client sent them: texts, which the core reads. */
export function textsOfApi<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>): Texts<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => {
    const { description } = field as z.ZodType;
    const text = core.text.exactOptional();
    return [name, description === undefined ? text : text.describe(description)];
  });
  return Object.fromEntries(fields);
}

type Described = { readonly schema: z.ZodType; readonly description: string | undefined };

function inCore(field: z.ZodType, given: z.ZodType | undefined): Described {
  const { description } = field;
  if (!(field instanceof z.ZodOptional)) return { schema: coreValueOf(field, given), description };
  const inner = field.unwrap() as z.ZodType;
  return { schema: optional(coreValueOf(inner, given)), description: description ?? inner.description };
}

/** Lists of texts have a message of their own, so that an empty one is not absent. No other optional list is ever empty. */
function optional(schema: z.ZodType): z.ZodType {
  const item = schema instanceof z.ZodReadonly ? schema.unwrap() : undefined;
  if (!(item instanceof z.ZodArray)) return schema.exactOptional();
  const element = item.element as z.ZodType;
  return element instanceof z.ZodString ? core.optionalListOf(element) : core.filledListOf(element);
}

function coreValueOf(schema: z.ZodType, given: z.ZodType | undefined): z.ZodType {
  if (schema instanceof z.ZodArray) return core.listOf(coreValueOf(schema.element as z.ZodType, given));
  if (given !== undefined) return given;
  const scalar = scalarOf(schema);
  if (scalar !== undefined) return scalars[scalar as keyof Scalars];
  return hasForm(schema) || schema instanceof z.ZodObject ? z.never() : schema;
}
