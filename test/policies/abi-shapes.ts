import fc from 'fast-check';
import type { AbiParameter, Hex } from 'viem';

/** A type of the ABI, with values of it, and the paths to what is no list and no tuple in them. */
export type Shape = {
  readonly parameter: AbiParameter;
  readonly values: fc.Arbitrary<unknown>;
  readonly paths: readonly ShapePath[];
  /** A value as it was made, of one that viem has decoded. */
  fromViem(decoded: unknown): unknown;
};

/** `text` is what a rule says behind the argument; `pick` finds the same in a value as it was made. */
export type ShapePath = { readonly text: string; readonly leaf: Leaf; pick(value: unknown): readonly unknown[] };
export type Leaf = { readonly type: string; readonly values: fc.Arbitrary<unknown> };

const hexOf = (options: { minLength: number; maxLength: number }): fc.Arbitrary<Hex> =>
  fc.uint8Array(options).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (length: number) => hexOf({ minLength: length, maxLength: length });
/** Few of them, so that the account that calls is often among them. */
export const someAddress = fc.constantFrom<Hex>(`0x${'00'.repeat(20)}`, `0x${'5e'.repeat(20)}`, `0x${'ab'.repeat(20)}`);
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes);
const near = (min: bigint, max: bigint) => fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, 1n));

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  bits.map((size) => ({ type: `uint${size}`, values: near(0n, 2n ** BigInt(size) - 1n) })),
  bits.map((size) => ({ type: `int${size}`, values: near(-(2n ** BigInt(size - 1)), 2n ** BigInt(size - 1) - 1n) })),
  fc.constant({ type: 'address', values: someAddress }),
  fc.constant({ type: 'bool', values: fc.boolean() }),
  fc.integer({ min: 1, max: 32 }).map((size) => ({ type: `bytes${size}`, values: bytesOf(size) })),
  fc.constant({ type: 'bytes', values: hexOf({ minLength: 0, maxLength: 40 }) }),
  fc.constant({ type: 'string', values: fc.string({ unit: 'grapheme', maxLength: 20 }) }),
);

function leafShape(one: Leaf): Shape {
  return {
    parameter: { name: '', type: one.type },
    values: one.values,
    paths: [{ text: '', leaf: one, pick: (value) => [value] }],
    fromViem: (value) =>
      typeof value === 'number' ? BigInt(value) : one.type === 'address' ? String(value).toLowerCase() : value,
  };
}

function listShape(element: Shape, length: number | undefined): Shape {
  const { parameter } = element;
  return {
    parameter: { ...parameter, type: `${parameter.type}[${length ?? ''}]` },
    values: fc.array(element.values, { minLength: length ?? 0, maxLength: length ?? 3 }),
    paths: element.paths.map(({ text, leaf: one, pick }) => ({
      text: `[]${text}`,
      leaf: one,
      pick: (list) => (list as readonly unknown[]).flatMap((value) => pick(value)),
    })),
    fromViem: (list) => (list as readonly unknown[]).map((value) => element.fromViem(value)),
  };
}

function tupleShape(parts: readonly { readonly shape: Shape; readonly isNamed: boolean }[]): Shape {
  const names = parts.map(({ isNamed }, index) => (isNamed ? `part${index}` : ''));
  return {
    parameter: {
      name: '',
      type: 'tuple',
      components: parts.map(({ shape }, index) => ({ ...shape.parameter, name: names[index] })),
    },
    values: fc.tuple(...parts.map(({ shape }) => shape.values)),
    paths: parts.flatMap(({ shape }, index) =>
      shape.paths.map(({ text, leaf: one, pick }) => ({
        text: `.${names[index] || index}${text}`,
        leaf: one,
        pick: (tuple: unknown) => pick((tuple as readonly unknown[])[index]),
      })),
    ),
    fromViem: (tuple) =>
      parts.map(({ shape }, index) => {
        const inside = tuple as readonly unknown[] & Readonly<Record<string, unknown>>;
        return shape.fromViem(Array.isArray(tuple) ? inside[index] : inside[names[index] ?? '']);
      }),
  };
}

function shapeOf(depth: number): fc.Arbitrary<Shape> {
  const plain = leaf.map(leafShape);
  if (depth === 0) return plain;
  const inner = shapeOf(depth - 1);
  const part = fc.record({ shape: inner, isNamed: fc.boolean() });
  return fc.oneof(
    { arbitrary: plain, weight: 2 },
    {
      arbitrary: fc
        .tuple(inner, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
        .map((args) => listShape(...args)),
      weight: 2,
    },
    { arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map(tupleShape), weight: 2 },
  );
}

/** The parameters of a method, as the tuple that they are encoded like, with arguments for them. */
export const methodAndArguments = fc
  .array(fc.record({ shape: shapeOf(3), isNamed: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .map(tupleShape)
  .chain((shape) => shape.values.map((values) => ({ shape, values: values as readonly unknown[] })));
