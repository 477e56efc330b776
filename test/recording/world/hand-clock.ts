import type { Clock, Timers } from '../../../core/base/time/clock.ts';

/** A clock that stands still until the recording moves it, with its timers. */
export type HandClock = Clock & {
  readonly timers: Timers;
  /** Unix seconds. */
  seconds(): number;
  pass(seconds: number): void;
  /** Runs what is due by now, one after the other, and waits for it. */
  fire(): Promise<void>;
};

type Waiting = { readonly time: number; readonly work: () => unknown };

/** @param start Unix seconds. */
export function createHandClock(start: number): HandClock {
  let now = start * 1_000;
  const waiting = new Set<Waiting>();
  return {
    now: () => now,
    timers: {
      at: (time, work) => {
        const added = { time, work };
        waiting.add(added);
        return () => waiting.delete(added);
      },
    },
    seconds: () => Math.floor(now / 1_000),
    pass: (seconds) => {
      now += seconds * 1_000;
    },
    fire: async () => {
      for (const one of [...waiting].filter(({ time }) => time <= now)) {
        if (waiting.delete(one)) await one.work();
      }
    },
  };
}
