import { concatHex, type Hex } from 'viem';
import { addressDigits } from '../../abi/hex-digits.ts';
import type { PaymasterContract } from './family.ts';
import { appendSignature } from './signature.ts';
import { uintWord } from './signed-fields.ts';

const signatureBytes = 65;
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
