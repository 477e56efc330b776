import { z } from 'zod';

/**
 * Converts a value between the API and the core: `write` makes JSON from the core's value, `read` the core's value from JSON
 * that the schema has checked. A schema without a form has the same values on both sides.
 */
export type Form<Wire = never, Domain = never, Scalar extends string = never, Suffix extends string = never> = {
  readonly read: (wire: Wire) => unknown;
  readonly write: (domain: Domain) => unknown;
  /** {@link ofScalar}. Without it the core states the field's type. */
  readonly scalar?: Scalar;
  /** Suffix of the field's name in the core: `maxUsd` is `maxUsdMicros` there. */
  readonly suffix?: Suffix;
};

/** What the type of a schema says of its values in the core. No schema has this field. */
export interface InCore<Scalar extends string, Suffix extends string = never> {
  readonly '~inCore': { readonly scalar: Scalar; readonly suffix: Suffix };
}

const forms = z.registry<Form<never, never, string, string>>();
const scalars = z.registry<{ readonly name: string }>();

/** Gives a schema its form, which schemas derived with `describe`, `refine` or `optional` keep. */
export function withForm<
  Schema extends z.ZodType,
  Domain,
  Scalar extends string = never,
  Suffix extends string = never,
>(schema: Schema, form: Form<z.output<Schema>, Domain, Scalar, Suffix>): Schema & InCore<Scalar, Suffix> {
  forms.add(schema, form as Form<never, never, string, string>);
  return form.scalar === undefined ? (schema as Schema & InCore<never, Suffix>) : ofScalar(schema, form.scalar);
}

/**
 * Names the core's type of a value where the type in JSON does not tell: a text can be an address. `core/base/message-schema.ts`
 * has a schema of each name. Derived schemas keep it.
 */
export function ofScalar<Schema extends z.ZodType, Scalar extends string, Suffix extends string = never>(
  schema: Schema,
  name: Scalar,
): Schema & InCore<Scalar, Suffix> {
  scalars.add(schema, { name });
  return schema as Schema & InCore<Scalar, Suffix>;
}

/** {@link ofScalar}. */
export function scalarOf(schema: z.ZodType): string | undefined {
  return scalars.get(schema)?.name;
}

/** Whether the core's values differ from JSON's. */
export function hasForm(schema: z.ZodType): boolean {
  return forms.get(schema) !== undefined;
}

/**
 * Gives an object a form in addition to those of its fields. `read` receives the fields in the core's form, and `write`
 * returns them in it.
 */
export function withObjectForm<Schema extends z.ZodType>(
  schema: Schema,
  form: { readonly read?: (fields: Fields) => unknown; readonly write?: (domain: Fields) => unknown },
): Schema {
  forms.add(schema, {
    read: form.read ?? ((fields: Fields) => fields),
    write: form.write ?? ((domain: Fields) => domain),
    isOfObject: true,
  } as unknown as Form);
  return schema;
}

// biome-ignore lint/suspicious/noExplicitAny: objects are converted by the names of their fields
export type Fields = { readonly [name: string]: any };
type Converter = { readonly read: (wire: unknown) => unknown; readonly write: (domain: unknown) => unknown };

/** Converts JSON that `schema` has parsed to the core's value. */
export function toDomain(schema: z.ZodType, wire: unknown): unknown {
  return converterOf(schema)?.read(wire) ?? wire;
}

/** Converts a core value to JSON, before `schema` checks it. Undefined if there is nothing to send. */
export function toWire(schema: z.ZodType, domain: unknown): unknown {
  const converter = converterOf(schema);
  return converter === undefined ? domain : converter.write(domain);
}

const converters = new WeakMap<z.ZodType, { readonly converter: Converter | undefined }>();

function converterOf(schema: z.ZodType): Converter | undefined {
  const known = converters.get(schema);
  if (known !== undefined) return known.converter;
  const converter = makeConverter(schema);
  converters.set(schema, { converter });
  return converter;
}

function makeConverter(schema: z.ZodType): Converter | undefined {
  const form = forms.get(schema) as (Converter & { readonly isOfObject?: true }) | undefined;
  if (form === undefined) return ofParts(schema);
  if (form.isOfObject === undefined) return form;
  const fields = ofParts(schema);
  if (fields === undefined) return form;
  return {
    read: (wire) => form.read(fields.read(wire)),
    write: (domain) => {
      const written = form.write(domain);
      return written === undefined ? undefined : fields.write(written);
    },
  };
}

/** The inner schema of a wrapper such as optional, which determines the conversion. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) {
    return schema.def.innerType as z.ZodType;
  }
  return undefined;
}

function ofParts(schema: z.ZodType): Converter | undefined {
  const inner = innerOf(schema);
  if (inner !== undefined) {
    const converter = converterOf(inner);
    return converter && absentIsAbsent(converter);
  }
  if (schema instanceof z.ZodArray) {
    const item = converterOf(schema.element as z.ZodType);
    return (
      item && {
        read: (wire) => (wire as unknown[]).map(item.read),
        write: (domain) => (domain as unknown[]).map(item.write),
      }
    );
  }
  return schema instanceof z.ZodObject ? ofFields(schema) : undefined;
}

function absentIsAbsent({ read, write }: Converter): Converter {
  return {
    read: (wire) => (wire === undefined ? undefined : read(wire)),
    write: (domain) => (domain === undefined ? undefined : write(domain)),
  };
}

function ofFields({ shape }: z.ZodObject): Converter | undefined {
  const fields = Object.entries(shape as Readonly<Record<string, z.ZodType>>).map(([name, field]) => ({
    name,
    inCore: `${name}${suffixOf(field) ?? ''}`,
    converter: converterOf(field),
  }));
  if (fields.every(({ converter }) => converter === undefined)) return undefined;
  const convert = (from: 'name' | 'inCore', to: 'name' | 'inCore', way: 'read' | 'write') => (value: unknown) => {
    const converted: Record<string, unknown> = {};
    for (const field of fields) {
      const part = (value as Fields)[field[from]];
      if (part !== undefined) converted[field[to]] = field.converter === undefined ? part : field.converter[way](part);
    }
    return converted;
  };
  return { read: convert('name', 'inCore', 'read'), write: convert('inCore', 'name', 'write') };
}

/** Suffix of a field's name in the core. */
export function suffixOf(schema: z.ZodType): string | undefined {
  const inner = innerOf(schema);
  return forms.get(schema)?.suffix ?? (inner && suffixOf(inner));
}

/**
 * Delays a length check until the type is known to be right. Zod runs such a check on any value with a `length`, even if its
 * type is wrong, and `{"length":{"toString":null,"valueOf":null}}` makes the comparison throw.
 */
export function afterType<Check extends z.core.$ZodCheckMaxLength | z.core.$ZodCheckMinLength>(check: Check): Check {
  check._zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value);
  return check;
}
