import fc from 'fast-check';
import { getAddress } from 'viem';
import { z } from 'zod';
import { type MessageTraits, messageTraits, type ScalarName } from '../../core/base/message-schema.ts';
import { coreMethods, type Input } from '../../core/domain/core.ts';
import type { CoreMethods } from '../../core/domain/operations/core-methods.ts';
import type { OperationName, Value } from '../../core/grpc/operation.ts';

// Arbitrary values of the domain's schemas. They are as wild as the wire allows: whether a text is a policy's id is not asked.

/** All of Unicode but half surrogates, which no protocol carries. */
const text = fc.string({ unit: 'binary', maxLength: 20 });
const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((some) => `0x${Buffer.from(some).toString('hex')}` as const);
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 256n - 1n),
);

const scalars: Readonly<Record<ScalarName, fc.Arbitrary<unknown>>> = {
  address: bytes(20, 20).map((address) => getAddress(address)),
  hex: bytes(0, 40),
  amount,
  signedAmount: fc.tuple(amount, fc.constantFrom(1n, -1n)).map(([size, sign]) => size * sign),
  seconds: fc.maxSafeNat(),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  count: fc.maxSafeNat(),
  signedCount: fc.maxSafeInteger(),
  sint32: fc.integer(),
  sint64: fc.maxSafeInteger(),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
};

const methods: CoreMethods = Object.assign({}, ...Object.values(coreMethods));

/** Inputs and values of an operation. */
export function arbitraryCall<Name extends OperationName>(name: Name) {
  const { input, value } = methods[name] ?? {};
  if (value === undefined) throw new Error(`${name} has no value`);
  return {
    input: (input === undefined ? fc.constant(undefined) : arbitraryOf(input)) as fc.Arbitrary<Input<Name>>,
    value: arbitraryOf(value) as fc.Arbitrary<Value<Name>>,
  };
}

/** Values that a schema's type allows. */
export function arbitraryOf<Schema extends z.ZodType>(schema: Schema): fc.Arbitrary<z.output<Schema>> {
  return valuesOf(schema, messageTraits(schema)) as fc.Arbitrary<z.output<Schema>>;
}

function valuesOf(schema: z.ZodType, { scalar, travelsAs, emptyIsAbsent }: MessageTraits): fc.Arbitrary<unknown> {
  if (travelsAs !== undefined) return arbitraryOf(travelsAs.form).map((form) => travelsAs.fromForm(form as never));
  if (scalar !== undefined) return scalars[scalar];
  if (schema instanceof z.ZodPipe) return arbitraryOf(schema.def.out as z.ZodType);
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodDefault || schema instanceof z.ZodExactOptional) {
    const inner = schema.def.innerType as z.ZodType;
    return valuesOf(inner, { ...messageTraits(inner), ...(emptyIsAbsent && { emptyIsAbsent }) });
  }
  if (schema instanceof z.ZodArray) {
    const minLength = emptyIsAbsent ? 1 : 0;
    return fc.array(arbitraryOf(schema.element as z.ZodType), { minLength, maxLength: 3 });
  }
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,9}$/), text, { noNullPrototype: true });
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return fc.oneof(...(schema.options as readonly z.ZodType[]).map((option) => arbitraryOf(option)));
  }
  return schema instanceof z.ZodObject ? objects(schema.shape) : plainValues(schema);
}

/** Objects whose optional keys are there or not: never there and `undefined`. */
function objects(shape: Readonly<Record<string, z.ZodType>>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, arbitraryOf(field)]));
  const requiredKeys = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodExactOptional));
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function plainValues(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodString) return text;
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumberFormat) return fc.integer({ min: 0, max: 2 ** 32 - 1 });
  if (schema instanceof z.ZodNumber) return fc.double({ noNaN: true });
  throw new TypeError(`there are no arbitrary values of ${schema.def.type}`);
}
