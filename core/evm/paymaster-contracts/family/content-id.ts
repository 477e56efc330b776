import { type Hex, size, slice } from 'viem';
import { keccakDigits } from '../../abi/hex-digits.ts';
import { eip7702Marker, isEip7702InitCode } from '../../entry-point/eip7702.ts';
import type { BundledOperation } from '../../entry-point/read-bundle.ts';
import { operationWords06 } from './signed-fields.ts';

/**
 * A name for an operation and the terms in its `paymasterAndData`, up to the signature. It includes nothing that can change
 * after the paymaster signed. The operation's hash can: from EntryPoint 0.8 on it depends on the code that the sender
 * delegates to.
 */
export function contentId(operation: Omit<BundledOperation, 'paymasterAndData'>, unsigned: Hex): Hex {
  return `0x${keccakDigits(operationWords06(operation) + unsigned.slice(2))}`;
}

/**
 * A name for an operation without a paymaster, which no terms follow. The two lengths of the EIP-7702 marker are one
 * operation: a bundler may send the other one, and the EntryPoint replaces both with the delegate.
 */
export function bareContentId({ initCode, ...operation }: Omit<BundledOperation, 'paymasterAndData'>): Hex {
  const isMarker = isEip7702InitCode(initCode) && size(initCode) < size(eip7702Marker);
  return contentId({ ...operation, initCode: isMarker ? eip7702Marker : initCode }, '0x');
}

const signatureBytes = 65;
/** Bytes of a signature with `v` as a bit of `s` (EIP-2098). */
const compactBytes = 64;
/** Bytes after a trailing signature: its length and the mark. */
const trailerBytes = 10;
/** Padding of a signature in ABI encoding. */
const paddingBytes = 31;

/** Possible lengths of the bytes after the terms. */
const tails: readonly number[] = [
  signatureBytes,
  compactBytes,
  signatureBytes + trailerBytes,
  compactBytes + trailerBytes,
  signatureBytes + paddingBytes,
];

/** The names under which an operation in a bundle may be known: one per form of signature, or one without a paymaster. */
export function contentIds({ paymasterAndData, ...operation }: BundledOperation): readonly Hex[] {
  if (paymasterAndData === '0x') return [bareContentId(operation)];
  const total = size(paymasterAndData);
  return tails
    .filter((tail) => tail <= total)
    .map((tail) => contentId(operation, tail === total ? '0x' : slice(paymasterAndData, 0, total - tail)));
}
