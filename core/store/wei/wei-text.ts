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

/** Digits of an amount in the store: enough for 10^22 ether, far more than will ever exist. */
const digits = 40;

/**
 * Wei in stored form: decimal text padded to 40 digits, exact, and sorting numerically. (A 64-bit integer column would end
 * at 9.2 ether.)
 *
 * @throws RangeError when the amount is negative or has more digits.
 */
export function toWeiText(amount: bigint): string {
  const text = amount.toString();
  if (amount < 0n || text.length > digits) throw new RangeError('An amount of wei is out of range.');
  return text.padStart(digits, '0');
}

/** The amount that `toWeiText` wrote. */
export function fromWeiText(text: string): bigint {
  return BigInt(text);
}
