const decimalPattern = /^\d{1,78}$/;
const hexPattern = /^0x[0-9a-f]{1,128}$/i;

/**
 *
 *
 * A number in clients' forms: hex with any leading zeros, or decimal text. `absent`: missing, empty or a bare `0x`.
 * `malformed`: not a number.
 */
export function readQuantity(text: string | undefined): bigint | 'absent' | 'malformed' {
  if (text === undefined || text === '' || text === '0x') return 'absent';
  if (decimalPattern.test(text) || hexPattern.test(text)) return BigInt(text);
  return 'malformed';
}
