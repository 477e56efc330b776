/** Highest limit accepted from a bundler: far above any block, far below an overflow of fee computations. */
export const maxBundlerLimit = 1n << 40n;

/** Digits that a number may have even if it needs fewer. */
const minDigits = 16;

/** A number in a bundler's answer: hex, decimal text or a JSON number. Undefined for anything else, or above `max`. */
export function readBundlerQuantity(value: unknown, max: bigint): bigint | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const digits = Math.max(minDigits, max.toString().length);
  const isText = typeof value === 'string' && new RegExp(`^(0x[0-9a-fA-F]{1,${digits}}|\\d{1,${digits}})$`).test(value);
  if (!isNumber && !isText) return undefined;
  const quantity = BigInt(value);
  return quantity <= max ? quantity : undefined;
}
