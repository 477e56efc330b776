import { type Hex, size, slice } from 'viem';
import { keccakDigits } from '../../abi/hex-digits.ts';
import type { BundledOperation } from '../../entry-point/read-bundle.ts';
import { operationWords06 } from './signed-fields.ts';

/**
 * One name for an operation and the terms that its `paymasterAndData` carries, up to the signature. It holds nothing that can
 * change after the paymaster has signed: unlike the operation's hash, which from EntryPoint 0.8 on depends on the code that the
 * sender delegates to.
 */
export function carriedName(operation: Omit<BundledOperation, 'paymasterAndData'>, unsigned: Hex): Hex {
  return `0x${keccakDigits(operationWords06(operation) + unsigned.slice(2))}`;
}

const signatureBytes = 65;
/** A signature whose `v` is a bit of its `s` (EIP-2098). */
const compactBytes = 64;
/** What follows a signature that trails: its length and the mark. */
const trailerBytes = 10;
/** What fills up a signature in ABI encoding. */
const paddingBytes = 31;

/** What can follow the terms, in bytes. */
const tails: readonly number[] = [
  signatureBytes,
  compactBytes,
  signatureBytes + trailerBytes,
  compactBytes + trailerBytes,
  signatureBytes + paddingBytes,
];

/** The names that an operation in a bundle can have been signed under: one for each form of signature. */
export function carriedNames({ paymasterAndData, ...operation }: BundledOperation): readonly Hex[] {
  const total = size(paymasterAndData);
  return tails
    .filter((tail) => tail <= total)
    .map((tail) => carriedName(operation, tail === total ? '0x' : slice(paymasterAndData, 0, total - tail)));
}
