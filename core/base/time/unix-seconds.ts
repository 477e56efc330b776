import type { Clock } from './clock.ts';

/** The clock's time in whole Unix seconds, rounded down. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1_000);
}
