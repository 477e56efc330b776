import { concatHex, type Hex, numberToHex, size, slice } from 'viem';

/**
 * The values that clients put into `paymasterData` and `paymasterSignature` of an EntryPoint 0.9 operation; undefined where
 * the signature is inside the data.
 */
export function trailingData(
  paymasterAndData: Hex,
): { readonly paymasterData: Hex; readonly paymasterSignature: Hex } | undefined {
  const split = splitPaymasterSignature(paymasterAndData);
  if (split === undefined) return undefined;
  return { paymasterData: slice(split.signed, headBytes), paymasterSignature: split.paymasterSignature };
}

/** The suffix of a `paymasterAndData` of EntryPoint 0.9 whose signature is excluded from the operation's hash. */
export const paymasterSignatureMark: Hex = '0x22e325a297439656';
const markBytes = 8;
const lengthBytes = 2;
const trailerBytes = lengthBytes + markBytes;
/** The address and the two gas limits, which the signature may not overlap. */
const headBytes = 52;

/** `paymasterAndData` of EntryPoint 0.9 in two parts. */
type SplitPaymasterData = {
  /** The part that account and paymaster sign: the head and the contract's own data. */
  readonly signed: Hex;
  readonly paymasterSignature: Hex;
};

/**
 * Appends a signature to `paymasterAndData` (or the contract's own part of it), so that EntryPoint 0.9 excludes the
 * signature from the operation's hash: `… ‖ signature ‖ its length (2) ‖ mark (8)`.
 */
export function appendPaymasterSignature(signed: Hex, signature: Hex): Hex {
  return concatHex([signed, signature, numberToHex(size(signature), { size: lengthBytes }), paymasterSignatureMark]);
}

/**
 * Splits a `paymasterAndData` that ends in such a signature. Undefined if it has none by the rules of EntryPoint 0.9
 * (`UserOperationLib.getPaymasterSignatureLength`): no mark, or a length of 0.
 *
 * @throws RangeError when the length exceeds the data, which the EntryPoint rejects.
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
