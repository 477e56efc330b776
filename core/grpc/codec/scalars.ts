import { getAddress, isAddress, isHex } from 'viem';
import type { ScalarName } from '../../base/message-schema.ts';
import type { Codec } from './codec.ts';

/** Longest decimal string of 256 bits. */
const maxDigits = 78;

function read(text: string): bigint {
  if (text.length > maxDigits || !/^(0|[1-9][0-9]*)$/.test(text)) {
    throw new TypeError('a decimal string is expected here');
  }
  return BigInt(text);
}

function write(value: bigint): string {
  if (value < 0n || value >= 1n << 256n) throw new RangeError('an amount does not fit 256 bits');
  return value.toString();
}

/** An integer of up to 256 bits, not negative, as a decimal string. */
const decimal: Codec<bigint, string> = { toWire: write, toDomain: read };

/** An integer that may be negative, of up to 256 bits next to its sign, as a decimal string. */
const signedDecimal: Codec<bigint, string> = {
  toWire: (value) => (value < 0n ? `-${write(-value)}` : write(value)),
  toDomain(text) {
    if (!text.startsWith('-')) return read(text);
    const size = read(text.slice(1));
    if (size === 0n) throw new TypeError('a decimal string is expected here');
    return -size;
  },
};

/** A protobuf type, and the conversion of domain values. */
export type Scalar = { readonly type: string; readonly codec: Codec<unknown, unknown> };

/** What is the same on the other side. */
export function same<Value>(value: Value): Value {
  return value;
}

/** Text, numbers and booleans. */
const plain: Codec<unknown, unknown> = { toWire: same, toDomain: same };

/** It arrives checksummed, whatever its case. */
const address: Codec<string, string> = {
  toWire: same,
  toDomain(text) {
    if (!isAddress(text, { strict: false })) throw new TypeError('an address is expected here');
    return getAddress(text);
  },
};

/** Keeps the letter case of the digits. */
const hex: Codec<string, string> = {
  toWire: same,
  toDomain(text) {
    if (!isHex(text) || text.length % 2 !== 0) throw new TypeError('hex is expected here');
    return text;
  },
};

/** A number that cannot be a chain id is sent as 0, which is not one either: both are refused alike. */
const chainId: Codec<number, bigint> = {
  toWire: (value) => (Number.isSafeInteger(value) && value > 0 ? BigInt(value) : 0n),
  toDomain: (value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : 0),
};

const count: Codec<number, bigint> = { toWire: BigInt, toDomain: Number };

/** Whole seconds, rounded down, and within the range of exact doubles. */
const seconds: Codec<number, bigint> = {
  toWire: (value) => BigInt(Math.floor(clamp(value))),
  toDomain: (value) => clamp(Number(value)),
};

function clamp(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

export const scalars: Readonly<Record<ScalarName, Scalar>> = {
  address: scalar('string', address),
  hex: scalar('string', hex),
  amount: scalar('string', decimal),
  signedAmount: scalar('string', signedDecimal),
  seconds: scalar('int64', seconds),
  chainId: scalar('uint64', chainId),
  count: scalar('uint64', count),
  signedCount: scalar('int64', count),
  sint32: scalar('sint32', plain),
  sint64: scalar('sint64', count),
  uint64: scalar('uint64', plain),
};

export const text = scalar('string', plain);
export const flag = scalar('bool', plain);
export const integer = scalar('uint32', plain);
export const float = scalar('double', plain);

/** A property that is `true` or not there. */
export const trueOrAbsent = scalar<true | undefined, boolean>('bool', {
  toWire: (value) => value ?? false,
  toDomain: (value) => value || undefined,
});

/** One of a list of texts or numbers; for others the fallback, if there is one. */
export function oneOf(known: readonly (string | number)[], fallback: string | undefined): Scalar {
  const values = new Set<unknown>(known);
  return scalar(typeof known[0] === 'number' ? 'uint32' : 'string', {
    toWire: same,
    toDomain(wire) {
      if (values.has(wire)) return wire;
      if (fallback !== undefined) return fallback;
      throw new TypeError(`one of ${known.join(', ')} is expected here`);
    },
  });
}

function scalar<Domain, Wire>(type: string, codec: Codec<Domain, Wire>): Scalar {
  return { type, codec: codec as Codec<unknown, unknown> };
}
