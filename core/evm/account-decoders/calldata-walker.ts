import type { Address, Hex } from 'viem';

const wordBytes = 32;
const addressPadding = 12;
const selectorBytes = 4;

/** Why call data is not the canonical encoding of calls, in plain words. Caught where decoding begins. */
export class NotUnderstoodError extends Error {
  override readonly name = 'NotUnderstoodError';
}

/**
 * Walks ABI encoded arguments from the first word to the last, in the order in which a standard encoder writes them.
 *
 * Nothing is followed: an offset is read only to see that it points to where the walk is going to be anyway. So every
 * word is read at most once, none can belong to two values, and what is accepted encodes back to the same bytes. Every
 * read throws {@link NotUnderstoodError} when the next word is not what it must be.
 */
export type CalldataWalker = {
  /** Bytes walked so far. */
  position(): number;
  /** Words read so far: the work done, never more than the words there are. */
  wordsRead(): number;
  /** The next word as it is. */
  fixedBytes(): Uint8Array;
  /** An address, in lower case. */
  address(): Address;
  /** An unsigned integer of 256 bits. */
  uint(): bigint;
  /** Where a dynamic value is said to begin, in bytes from its base. */
  offset(): number;
  /** The walk must have come to exactly this position: the one an offset gave. */
  reach(position: number): void;
  /** A number of elements, at most `max`. */
  count(max: number): number;
  /** A length word and that many bytes with zeros up to the end of the last word; the bytes without the zeros. */
  bytes(): Buffer;
  /** All bytes that follow, as they are: the walk is over. */
  rest(): Buffer;
  /** Nothing may follow. */
  end(): void;
};

/** @param data Arguments without the method's selector. */
export function createCalldataWalker(data: Buffer): CalldataWalker {
  let position = 0;
  let wordsRead = 0;

  /** Takes the next word and returns where it begins. */
  function word(): number {
    if (position + wordBytes > data.length) throw new NotUnderstoodError('the call data ends too early');
    const start = position;
    position += wordBytes;
    wordsRead += 1;
    return start;
  }

  /** A number that fits 32 bits. Larger ones cannot be an offset or a length in data of this size. */
  function size(): number {
    const start = word();
    if (!isZero(data, start, start + 28)) throw new NotUnderstoodError('an offset or length is impossibly large');
    return data.readUInt32BE(start + 28);
  }

  function bytes(): Buffer {
    const length = size();
    const start = position;
    const padded = Math.ceil(length / wordBytes) * wordBytes;
    if (start + padded > data.length) throw new NotUnderstoodError('the call data ends too early');
    if (length < padded) wordsRead += 1;
    if (!isZero(data, start + length, start + padded)) throw new NotUnderstoodError('padding is not zero');
    position += padded;
    return data.subarray(start, start + length);
  }

  return {
    position: () => position,
    wordsRead: () => wordsRead,
    fixedBytes() {
      const start = word();
      return data.subarray(start, start + wordBytes);
    },
    address() {
      const start = word();
      if (!isZero(data, start, start + addressPadding))
        throw new NotUnderstoodError('an address has more than 20 bytes');
      return `0x${data.toString('hex', start + addressPadding, start + wordBytes)}`;
    },
    uint() {
      const start = word();
      if (isZero(data, start, start + wordBytes)) return 0n;
      return BigInt(`0x${data.toString('hex', start, start + wordBytes)}`);
    },
    offset: size,
    reach(expected) {
      if (position !== expected) throw new NotUnderstoodError('the call data is not encoded in the standard way');
    },
    count(max) {
      const count = size();
      if (count > max) throw new NotUnderstoodError(`there are more than ${max} calls`);
      return count;
    },
    bytes,
    rest() {
      const start = position;
      position = data.length;
      return data.subarray(start);
    },
    end() {
      if (position !== data.length) throw new NotUnderstoodError('more data follows than the calls need');
    },
  };
}

/** The method that a call's data names; `undefined` for a call without data. */
export function selectorOf(data: Uint8Array): Hex | undefined {
  if (data.length === 0) return undefined;
  if (data.length < selectorBytes) throw new NotUnderstoodError('a call has data that is too short to name a method');
  return `0x${Buffer.from(data.subarray(0, selectorBytes)).toString('hex')}`;
}

function isZero(data: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (data[index] !== 0) return false;
  return true;
}
