import { concatHex, type Hex, size } from 'viem';

/**
 * A well-formed signature without a known key: 65 bytes without a zero byte, `r` on the curve, low `s`, v 28. For any
 * digest, `ecrecover` returns some address. So a contract takes the same path as with a real signature, and only fails at
 * the end because the address is not one of its signers.
 *
 * `r` and `s` are the first fitting hashes of a text, so no one knows the key.
 */
export const stubSignature: Hex =
  '0x7d6bee489afc5102664e27774ca5d3d5ddce446c3cc075d7100f7fbb39b8c8036b3e469b59020cbaba571a290f330967535052b171925edcc15eb19e4dccce591c';

const signatureBytes = 65;

/**
 * `paymasterAndData` of a contract that reads its signature from the last 65 bytes. Throws `RangeError` for a signature of
 * another length, which would shift the layout.
 */
export function appendSignature(unsigned: Hex, signature: Hex): Hex {
  if (size(signature) !== signatureBytes) throw new RangeError(`A paymaster signature has ${signatureBytes} bytes.`);
  return concatHex([unsigned, signature]);
}
