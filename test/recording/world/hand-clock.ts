import type { Clock } from '../../../core/base/time/clock.ts';

/** A clock that stands still until the recording moves it. */
export type HandClock = Clock & {
  /** Unix seconds. */
  seconds(): number;
  pass(seconds: number): void;
};

/** @param start Unix seconds. */
export function createHandClock(start: number): HandClock {
  let now = start * 1_000;
  return {
    now: () => now,
    seconds: () => Math.floor(now / 1_000),
    pass: (seconds) => {
      now += seconds * 1_000;
    },
  };
}
