import { concatHex, type Hex, size } from 'viem';

const signatureBytes = 65;

/**
 * `paymasterAndData` of a contract that takes its signature as the last 65 bytes. Throws `RangeError` for a signature of
 * another length, which would shift the layout.
 */
export function appendSignature(unsigned: Hex, signature: Hex): Hex {
  if (size(signature) !== signatureBytes) throw new RangeError(`A paymaster signature has ${signatureBytes} bytes.`);
  return concatHex([unsigned, signature]);
}
