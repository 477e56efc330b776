const decimalPattern = /^\d{1,78}$/;
const hexPattern = /^0x[0-9a-f]{1,128}$/i;

/**
 * A number as clients send it: hex with any leading zeros, or decimal text. `absent` when there is none (missing,
 * empty or a bare `0x`), `malformed` when it is no number.
 */
export function readQuantity(text: string | undefined): bigint | 'absent' | 'malformed' {
  if (text === undefined || text === '' || text === '0x') return 'absent';
  if (decimalPattern.test(text) || hexPattern.test(text)) return BigInt(text);
  return 'malformed';
}
