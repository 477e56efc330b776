import type { Decimal } from './price-source.ts';

/** Most digits before the point, digits after it and, either way, places that an exponent moves it. */
const maxDigits = 40;

const literal = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/**
 * A decimal number as JSON writes it, read exactly: `1999.99`, `-1`, `2.5e-7`. Undefined for anything else, and for a
 * number with more than 40 digits on either side of its point.
 */
export function readDecimal(text: string): Decimal | undefined {
  const groups = literal.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { sign, whole = '', fraction = '', exponent = '0' } = groups;
  const shift = Number(exponent);
  if (whole.length > maxDigits || fraction.length > maxDigits || Math.abs(shift) > maxDigits) return undefined;
  const digits = BigInt(whole + fraction);
  const value = sign === '-' ? -digits : digits;
  const decimals = fraction.length - shift;
  return decimals < 0 ? { value: value * 10n ** BigInt(-decimals), decimals: 0 } : { value, decimals };
}
