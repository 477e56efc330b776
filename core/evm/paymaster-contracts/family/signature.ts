import { concatHex, type Hex, size } from 'viem';
import { addressDigits } from '../../abi/hex-digits.ts';
import type { PaymasterContract } from './family.ts';
import { uintWord } from './signed-fields.ts';

/** Pads the signature to whole words. */
const padding: Hex = `0x${'00'.repeat(31)}`;

/**
 * `paymaster` (20) `‖ abi.encode(…words, bytes signature)` up to the first byte of the signature. `words` are the ABI words
 * (hex digits) before it; the signature's offset and length follow them.
 */
export function beforeAbiSignature(contract: PaymasterContract, words: string): Hex {
  const offsetOfSignature = words.length / 2 + 32;
  const signature = uintWord(offsetOfSignature, 32) + uintWord(signatureBytes, 32);
  return `0x${addressDigits(contract.address)}${words}${signature}`;
}

/** Appends the signature, padded to whole words. Throws `RangeError` unless it has 65 bytes. */
export function appendAbiSignature(unsigned: Hex, signature: Hex): Hex {
  return concatHex([appendSignature(unsigned, signature), padding]);
}

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
