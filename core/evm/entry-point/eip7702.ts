import { type Address, getAddress, type Hex } from 'viem';
import { addressDigits } from '../abi/hex-digits.ts';

/** `0x7702` padded to the size of a factory address, as EntryPoint 0.8 and 0.9 read it (`Eip7702Support`). */
export const eip7702Marker = '0x7702000000000000000000000000000000000000';

/** The marker as most clients write it and bundlers pack it. No bytes may follow it: they would turn it into an address. */
export const shortEip7702Marker = '0x7702';

/** Whether EntryPoint 0.8 and up replaces the start of this `initCode` with the sender's EIP-7702 delegate when hashing. */
export function isEip7702InitCode(initCode: Hex): boolean {
  // The contract accepts less than an address: missing bytes read as zeros.
  return (
    initCode.length >= 6 && initCode.slice(0, eip7702Marker.length).padEnd(eip7702Marker.length, '0') === eip7702Marker
  );
}

/** The prefix of a delegated account's code (EIP-7702); only the delegate's address follows. */
const designator = '0xef0100';
const delegationLength = designator.length + 40;

/** The code of an account that has delegated to `delegate`. */
export function delegationCode(delegate: Address): Hex {
  return `${designator}${addressDigits(delegate)}`;
}

/** The delegate of an account with this code; undefined for an account without code and for any other contract. */
export function delegateOf(code: Hex | undefined): Address | undefined {
  const isDelegation = code?.length === delegationLength && code.startsWith(designator);
  return isDelegation ? getAddress(`0x${code.slice(designator.length)}`) : undefined;
}
