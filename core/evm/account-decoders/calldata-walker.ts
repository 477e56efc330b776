import type { Address, Hex } from 'viem';

const wordBytes = 32;
const addressPadding = 12;
const selectorBytes = 4;

/** Why call data is not the canonical encoding of calls, in plain words. Caught at the entry of decoding. */
export class NotUnderstoodError extends Error {
  override readonly name = 'NotUnderstoodError';
}

/**
 * Walks ABI-encoded arguments from the first word to the last, in the order in which a standard encoder writes them.
 *
 * Offsets are never followed, only checked: each must point to the position that the walk reaches next. So every word is
 * read at most once and belongs to one value, and accepted data encodes back to the same bytes. Every read throws {@link
 * NotUnderstoodError} when the next word is not valid.
 */
export type CalldataWalker = {
  /** Bytes walked so far. */
  position(): number;
  /** Words read so far: a measure of the work, never more than the words of the data. */
  wordsRead(): number;
  /** The next word, unchanged. */
  fixedBytes(): Uint8Array;
  /** An address, in lower case. */
  address(): Address;
  /** An unsigned integer of 256 bits. */
  uint(): bigint;
  /** The offset of a dynamic value, in bytes from its base. */
  offset(): number;
  /** Throws unless the walk is at this position, which an offset gave. */
  reach(position: number): void;
  /** A number of elements, at most `max`. */
  count(max: number): number;
  /** The bytes of a value with a length word. The padding must be zero and is left out. */
  bytes(): Buffer;
  /** All remaining bytes. Ends the walk. */
  rest(): Buffer;
  /** Throws if bytes remain. */
  end(): void;
};

/** @param data Arguments without the method's selector. */
export function createCalldataWalker(data: Buffer): CalldataWalker {
  let position = 0;
  let wordsRead = 0;

  /** Consumes the next word and returns its position. */
  function word(): number {
    if (position + wordBytes > data.length) throw new NotUnderstoodError('the call data ends too early');
    const start = position;
    position += wordBytes;
    wordsRead += 1;
    return start;
  }

  /** A number of at most 32 bits: a larger one cannot be an offset or length in data of this size. */
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

/** The selector in a call's data; `undefined` for fewer than four bytes, which reach a contract's fallback. */
export function selectorOf(data: Uint8Array): Hex | undefined {
  if (data.length < selectorBytes) return undefined;
  return `0x${Buffer.from(data.subarray(0, selectorBytes)).toString('hex')}`;
}

function isZero(data: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (data[index] !== 0) return false;
  return true;
}
