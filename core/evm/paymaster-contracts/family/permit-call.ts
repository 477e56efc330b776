import { type Address, encodeFunctionData, type Hex, parseAbi, size, slice } from 'viem';
import type { TokenPermit } from './family.ts';

const abi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
]);
const keySignatureBytes = 65;

/** The call with which a paymaster contract forwards a permit to the token. */
export function permitCall({ value, deadline, signature }: TokenPermit, owner: Address, spender: Address): Hex {
  const common = [owner, spender, value, deadline] as const;
  if (size(signature) !== keySignatureBytes) {
    return encodeFunctionData({ abi, functionName: 'permit', args: [...common, signature] });
  }
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), Number(slice(signature, 64))];
  return encodeFunctionData({ abi, functionName: 'permit', args: [...common, v, r, s] });
}
