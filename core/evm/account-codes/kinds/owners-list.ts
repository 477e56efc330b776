import { type Hex, parseAbi, size } from 'viem';
import { readExactly } from '../read-exactly.ts';

/** Most bytes of such a call: 32 owners. More would be paid for. */
const maxBytes = 4 + 32 * (3 + 32);

/** Whether this is exactly a call of `createAccount` with a list of owners and a salt, in this order of arguments. */
export function createsForOwners(
  callData: Hex,
  signature:
    | 'function createAccount(address[] owners, uint256 salt)'
    | 'function createAccount(uint256 salt, address[] owners)',
): boolean {
  return size(callData) <= maxBytes && readExactly(parseAbi([signature]), 'createAccount', callData) !== undefined;
}
