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
