import type { Clock } from './clock.ts';

/** How a time is waited for, passed in so that tests can make it come. */
export type Timers = {
  /** Runs `work` once at a time in Unix milliseconds, soon when that is over; the answer stops it before. */
  at(time: number, work: () => void): () => void;
};

export function createTimers(clock: Clock): Timers {
  return {
    at(time, work) {
      const timer = setTimeout(work, Math.max(time - clock.now(), 0));
      return () => clearTimeout(timer);
    },
  };
}
