import { type Address, getAddress, type Hex } from 'viem';
import { addressDigits } from '../abi/hex-digits.ts';

/** `0x7702` padded to the size of a factory address, as EntryPoint 0.8 and 0.9 read it (`Eip7702Support`). */
export const eip7702Marker = '0x7702000000000000000000000000000000000000';

/** The marker as most clients write it and bundlers pack it. Nothing can follow it: what does would make an address of it. */
export const shortEip7702Marker = '0x7702';

/** Whether EntryPoint 0.8 and up replaces the start of this `initCode` by the sender's EIP-7702 delegate when hashing. */
export function isEip7702InitCode(initCode: Hex): boolean {
  // Shorter than an address is enough for the contract: what is missing reads as zeros.
  return (
    initCode.length >= 6 && initCode.slice(0, eip7702Marker.length).padEnd(eip7702Marker.length, '0') === eip7702Marker
  );
}

/** What the code of a delegated account begins with (EIP-7702); the delegate's address is all that follows. */
const designator = '0xef0100';
const delegationLength = designator.length + 40;

/** The code of an account that has delegated to `delegate`. */
export function delegationCode(delegate: Address): Hex {
  return `${designator}${addressDigits(delegate)}`;
}

/** Whom an account with this code has delegated to; undefined for an account without code and for any other contract. */
export function delegateOf(code: Hex | undefined): Address | undefined {
  const isDelegation = code?.length === delegationLength && code.startsWith(designator);
  return isDelegation ? getAddress(`0x${code.slice(designator.length)}`) : undefined;
}
