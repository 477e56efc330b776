import { fromWeiText, toWeiText } from './wei-text.ts';

/** A negative amount has the sign instead of the first digit. */
const negative = /^-0*(\d+)$/;

/**
 * Wei that may be negative, in the 40 characters of `toWeiText`.
 *
 * @throws RangeError when the amount has too many digits.
 */
export function toSignedWeiText(amount: bigint): string {
  if (amount >= 0n) return toWeiText(amount);
  const text = toWeiText(-amount);
  if (!text.startsWith('0')) throw new RangeError('An amount of wei is out of range.');
  return `-${text.slice(1)}`;
}

/** The amount that `toSignedWeiText` wrote. */
export function fromSignedWeiText(text: string): bigint {
  const digits = negative.exec(text)?.[1];
  return digits === undefined ? fromWeiText(text) : -BigInt(digits);
}
