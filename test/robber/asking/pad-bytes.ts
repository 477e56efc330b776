import type { Hex } from 'viem';
import type { Padding } from '../plan/plan.ts';

const digits = { zeros: '00', ones: 'ff' } as const;

/** The bytes with the padding behind them. */
export function padBytes(bytes: Hex, { bytes: count, fill }: Padding): Hex {
  return `${bytes}${digits[fill].repeat(count)}`;
}
