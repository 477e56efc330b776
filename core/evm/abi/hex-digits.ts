import { keccak256 } from 'ox/Hash';
import type { Address, Hex } from 'viem';

/** Digits of the hash of empty bytes: `initCode` is empty in nearly every operation. */
const hashOfNothing = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/**
 * An unsigned integer as big-endian hex digits, `byteLength` bytes wide, without `0x`. One ABI word is 32 bytes. Throws
 * `RangeError` when the value does not fit, instead of cutting it.
 */
export function uintDigits(value: bigint | number, byteLength: number): string {
  const digits = value < 0 ? '' : value.toString(16);
  if (digits === '' || digits.length > byteLength * 2) {
    throw new RangeError(`A value does not fit an unsigned integer of ${byteLength * 8} bits.`);
  }
  return digits.padStart(byteLength * 2, '0');
}

/** An address as its 40 lower-case hex digits. Throws `RangeError` for another length, which would shift a layout. */
export function addressDigits(address: Address): string {
  if (address.length !== 42) throw new RangeError('An address has 20 bytes.');
  return address.slice(2).toLowerCase();
}

/** An address as one ABI word of hex digits, without `0x`. */
export function addressWord(address: Address): string {
  return addressDigits(address).padStart(64, '0');
}

/**
 * Keccak-256 of the bytes that the hex digits stand for, as 64 digits. Throws `TypeError` for anything but whole bytes of
 * hex, since `Buffer` silently stops at the first invalid digit.
 *
 * Uses ox's hash, so it is as fast as the engine that was installed for ox.
 */
export function keccakDigits(digits: string): string {
  if (digits === '') return hashOfNothing;
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 !== digits.length) throw new TypeError('Only whole bytes of hex digits can be hashed.');
  return keccak256(bytes, { as: 'Hex' }).slice(2);
}

/** The last bytes that were hashed: an operation's name and digest both include the hash of its call data. */
let last = { bytes: '0x', hash: hashOfNothing };

/** Keccak-256 of bytes, as 64 digits. */
export function hashBytes(bytes: Hex): string {
  if (bytes === '0x') return hashOfNothing;
  if (bytes !== last.bytes) last = { bytes, hash: keccakDigits(bytes.slice(2)) };
  return last.hash;
}
