import fc from 'fast-check';
import { type Address, getAddress, type Hex } from 'viem';

/** All of Unicode but half surrogates, which no protocol carries. */
export const text = fc.string({ unit: 'binary', maxLength: 20 });
export const texts = fc.array(text, { maxLength: 4 });
export const hex: fc.Arbitrary<Hex> = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
export const address: fc.Arbitrary<Address> = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
export const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 256n - 1n),
);
export const chainId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
export const time = fc.maxSafeNat();
export const json = fc.oneof(fc.json(), fc.constant('{"n":123456789012345678901234567890.5e-3,"\\ud800":"é😀"}'));

type Fields<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

export function complete<T>(fields: Fields<T>): fc.Arbitrary<T> {
  return fc.record<T>(fields, { noNullPrototype: true });
}

/** An object whose keys are there or not: never there and `undefined`. */
export function optional<T>(fields: Fields<T>): fc.Arbitrary<Partial<T>> {
  const subset = fc.record(fields, { requiredKeys: [], noNullPrototype: true });
  return subset as fc.Arbitrary<Partial<T>>; // the library's own type is this one, spelled in a way that does not reduce
}

export function withOptional<R, O>(required: Fields<R>, others: Fields<O>): fc.Arbitrary<R & Partial<O>> {
  return fc.tuple(complete<R>(required), optional<O>(others)).map(([base, extra]) => ({ ...base, ...extra }));
}
