import { concatHex, type Hex, size, slice } from 'viem';
import { uintDigits } from '../../evm/abi/hex-digits.ts';
import { stubSignature } from '../../evm/paymaster-contracts/family/signed-fields.ts';
import { stubWindow } from '../sponsored-terms.ts';

/** Two times and the byte before them: Pimlico's and Tollfree's contracts. Too short for a signature. */
const packedHeadBytes = 13;
/** Two times as words: eth-infinitism's VerifyingPaymaster, which Etherspot's Arka signs for. */
const wordsHeadBytes = 64;
const timeBytes = 6;

/** {@link stubSignature} in the 64 bytes of ERC-2098: the highest bit of `s` stands for `v` 28. */
const compactStubSignature: Hex = concatHex([
  slice(stubSignature, 0, 32),
  `0x${uintDigits(BigInt(slice(stubSignature, 32, 64)) | (1n << 255n), 32)}`,
]);

/**
 * The `paymasterData` of another paymaster's stub with a filler of the same length for its times and signature. A vendor may
 * sign stubs without reporting it, as Arka does; without the last 64 bytes nothing in these layouts is a signature.
 * Undefined for another layout.
 */
export function unsignStub(paymasterData: Hex): Hex | undefined {
  for (const signature of [stubSignature, compactStubSignature]) {
    const headBytes = size(paymasterData) - size(signature);
    const { validUntil, validAfter } = stubWindow;
    if (headBytes === packedHeadBytes) {
      const times: Hex = `0x${uintDigits(validUntil, timeBytes)}${uintDigits(validAfter, timeBytes)}`;
      return concatHex([slice(paymasterData, 0, 1), times, signature]);
    }
    if (headBytes === wordsHeadBytes && isTime(slice(paymasterData, 0, 32)) && isTime(slice(paymasterData, 32, 64))) {
      return concatHex([`0x${uintDigits(validUntil, 32)}${uintDigits(validAfter, 32)}`, signature]);
    }
  }
  return undefined;
}

/** Whether a word is a time, so that no part of a signature is in it. */
function isTime(word: Hex): boolean {
  return BigInt(word) < 1n << BigInt(8 * timeBytes);
}
