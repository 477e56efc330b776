import { concatHex, type Hex, numberToHex, size, slice } from 'viem';

/** What ends a `paymasterAndData` of EntryPoint 0.9 whose signature the operation's hash does not hold. */
export const paymasterSignatureMark: Hex = '0x22e325a297439656';
const markBytes = 8;
const lengthBytes = 2;
const trailerBytes = lengthBytes + markBytes;
/** The address and the two gas limits, which no signature may reach into. */
const headBytes = 52;

/** `paymasterAndData` of EntryPoint 0.9 in two parts. */
type SplitPaymasterData = {
  /** What account and paymaster sign: the head and the contract's own data. */
  readonly signed: Hex;
  readonly paymasterSignature: Hex;
};

/**
 * Puts a signature behind `paymasterAndData` (or the contract's own part of it) so that EntryPoint 0.9 leaves it out of the
 * operation's hash: `… ‖ signature ‖ its length (2) ‖ mark (8)`.
 */
export function appendPaymasterSignature(signed: Hex, signature: Hex): Hex {
  return concatHex([signed, signature, numberToHex(size(signature), { size: lengthBytes }), paymasterSignatureMark]);
}

/**
 * The parts of a `paymasterAndData` that ends in a signature of its own; undefined where it has none, as EntryPoint 0.9 tells
 * (`UserOperationLib.getPaymasterSignatureLength`): without the mark, or with a length of 0.
 *
 * @throws RangeError when the length says more than there is, which the EntryPoint does not take.
 */
export function splitPaymasterSignature(paymasterAndData: Hex): SplitPaymasterData | undefined {
  const total = size(paymasterAndData);
  if (total < headBytes + trailerBytes || !paymasterAndData.toLowerCase().endsWith(paymasterSignatureMark.slice(2))) {
    return undefined;
  }
  const length = Number(slice(paymasterAndData, total - trailerBytes, total - markBytes));
  if (length === 0) return undefined;
  const signedEnd = total - trailerBytes - length;
  if (signedEnd < headBytes) throw new RangeError('The signature of the paymaster is longer than its data.');
  return {
    signed: slice(paymasterAndData, 0, signedEnd),
    paymasterSignature: slice(paymasterAndData, signedEnd, signedEnd + length),
  };
}
