import { type Address, getAddress, type Hex } from 'viem';
import { addressDigits } from '../abi/hex-digits.ts';

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
