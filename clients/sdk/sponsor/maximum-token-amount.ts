import type { TokenQuote } from './token-quotes.ts';

/** A nonnegative JSON number with a bounded number of digits. */
const literal = /^(?<whole>\d{1,100})(?:\.(?<fraction>\d{1,300}))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/** Decimals of a token are a `uint8` (ERC-20). */
const maxDecimals = 255;

/**
 * The most a quoted operation can cost, in base units of the token: exact, rounded up. The allowance to give to
 * `paymasterAddress`.
 *
 * @example
 * maximumTokenAmount({ maxGasFee: '0.0000015', decimal: 6 }); // 2n
 *
 * @throws RangeError when the quote does not hold an amount.
 */
export function maximumTokenAmount(quote: Pick<TokenQuote, 'maxGasFee' | 'decimal'>): bigint {
  const { maxGasFee, decimal } = quote;
  const groups = literal.exec(maxGasFee)?.groups;
  if (groups === undefined || !Number.isInteger(decimal) || decimal < 0 || decimal > maxDecimals) {
    throw new RangeError('The quote does not hold an amount of tokens.');
  }
  const { whole = '', fraction = '', exponent = '0' } = groups;
  const digits = BigInt(whole + fraction);
  const scale = decimal + Number(exponent) - fraction.length;
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return (digits + divisor - 1n) / divisor;
}
