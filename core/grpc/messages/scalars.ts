import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem';

/** Longest decimal string of 256 bits. */
const maxDecimalDigits = 78;

/** Reads a decimal string of the wire. Throws on anything else: only a broken peer sends it. */
export function readBigint(text: string): bigint {
  if (text.length > maxDecimalDigits || !/^(0|[1-9][0-9]*)$/.test(text)) {
    throw new TypeError('the wire holds something else where a decimal string belongs');
  }
  return BigInt(text);
}

/** Writes a non-negative integer of up to 256 bits as a decimal string. Throws on any other: only a bug makes one. */
export function writeBigint(value: bigint): string {
  if (value < 0n || value >= 1n << 256n) throw new RangeError('an amount does not fit 256 bits');
  return value.toString();
}

/** {@link readBigint} of a number that may be negative. */
export function readSignedBigint(text: string): bigint {
  if (!text.startsWith('-')) return readBigint(text);
  const size = readBigint(text.slice(1));
  if (size === 0n) throw new TypeError('the wire holds something else where a decimal string belongs');
  return -size;
}

/** {@link writeBigint} of a number that may be negative. */
export function writeSignedBigint(value: bigint): string {
  return value < 0n ? `-${writeBigint(-value)}` : writeBigint(value);
}

/** Reads `0x` and an even number of hex digits. Throws on anything else. */
export function readHex(text: string): Hex {
  if (!isHex(text) || text.length % 2 !== 0) throw new TypeError('the wire holds something else where hex belongs');
  return text;
}

/** Reads an address; checksummed in any case. Throws on anything else. */
export function readAddress(text: string): Address {
  if (!isAddress(text, { strict: false }))
    throw new TypeError('the wire holds something else where an address belongs');
  return getAddress(text);
}

/** Reads one of some known texts. Throws on any other. */
export function readOneOf<const T extends string>(known: readonly T[], text: string): T {
  const found = known.find((one) => one === text);
  if (found === undefined)
    throw new TypeError(`the wire holds something else where one of ${known.join(', ')} belongs`);
  return found;
}

/** A number that cannot be a chain id travels as 0, which is none either: both are refused alike. */
export function writeChainId(chainId: number): bigint {
  return Number.isSafeInteger(chainId) && chainId > 0 ? BigInt(chainId) : 0n;
}

export function readChainId(chainId: bigint): number {
  return chainId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(chainId) : 0;
}

/** Seconds as the wire has them: whole, rounded down, and no further from 0 than a double is exact. */
export function writeSeconds(seconds: number): bigint {
  const bound = Number.MAX_SAFE_INTEGER;
  return BigInt(Math.floor(Math.min(Math.max(seconds, -bound), bound)));
}

/** Whole seconds, no further from 0 than a double is exact. */
export function readSeconds(seconds: bigint): number {
  const bound = Number.MAX_SAFE_INTEGER;
  return Math.min(Math.max(Number(seconds), -bound), bound);
}

export function writeOptionalSeconds(seconds: number | undefined): bigint | undefined {
  return seconds === undefined ? undefined : writeSeconds(seconds);
}

export function readOptionalSeconds(seconds: bigint | undefined): number | undefined {
  return seconds === undefined ? undefined : readSeconds(seconds);
}
