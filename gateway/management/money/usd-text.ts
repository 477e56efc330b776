import { usdDecimals } from '@tollfree/contract/limits';

/** Millionths of a USD of a decimal text that the contract's schema has checked: at most {@link usdDecimals} decimals. */
export function readUsd(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(usdDecimals, '0'));
}

/** Millionths of a USD as decimal text, exact, with two decimals at least: `0.50`. */
export function usdText(micros: bigint): string {
  if (micros < 0n) return `-${usdText(-micros)}`;
  const digits = micros.toString().padStart(usdDecimals + 1, '0');
  const fraction = digits.slice(-usdDecimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -usdDecimals)}.${fraction}`;
}
