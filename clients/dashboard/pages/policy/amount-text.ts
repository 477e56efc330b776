import { formatUnits, parseUnits } from 'viem';

/** Wei in a readable unit. Invalid text stays as it was typed. */
export function amountText(value: unknown, decimals: number): string {
  if (typeof value !== 'string') return '';
  return /^\d{1,78}$/.test(value) ? formatUnits(BigInt(value), decimals) : value;
}

export function isAmount(text: string, decimals: number): boolean {
  return new RegExp(`^\\d{1,15}(\\.\\d{1,${decimals}})?$`).test(text.trim());
}

/** Typed text as wei. Invalid text stays as it is, and the service refuses it. */
export function readAmount(text: string, decimals: number): string {
  return isAmount(text, decimals) ? parseUnits(text.trim(), decimals).toString() : text;
}

type Limit = Readonly<Record<string, unknown>>;

/** A limit in another unit, with the number that was typed: costs in the coin are stored in wei. */
export function withUnit(limit: Limit, unit: unknown): Limit {
  const typed = limit.unit === 'WEI' ? amountText(limit.max, 18) : limit.max;
  return { ...limit, unit, max: unit === 'WEI' && typeof typed === 'string' ? readAmount(typed, 18) : typed };
}
