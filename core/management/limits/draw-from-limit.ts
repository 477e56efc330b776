import type { LimitUse } from '../../domain/sharing/limit-use.ts';

/** What a limit had left, in thousandths, at a time in Unix milliseconds. */
export type LimitLevel = { readonly left: number; readonly at: number };

/** Bursts that a limit may owe: as many gateways can let one through before they hear of each other, and it is waited for. */
const maxOwedBursts = 10;

/** The level after a use, of a limit that is full where it is not known. A clock that was set back brings nothing. */
export function drawFromLimit(level: LimitLevel | undefined, use: LimitUse, now: number): LimitLevel {
  const full = use.burst * 1_000;
  const waited = level === undefined ? 0 : Math.max(0, now - level.at);
  const refilled = Math.min(full, (level?.left ?? full) + Math.floor((waited * use.perMinute) / 60));
  return { left: Math.max(refilled - use.used * 1_000, -maxOwedBursts * full), at: Math.max(now, level?.at ?? now) };
}
