import type { Clock } from './clock.ts';

/** Does `work` again and again, `ms` after it was done the last time. What it rejects with goes to `onFault`. */
export function repeat(
  { clock, timers }: { clock: Clock; timers: Timers },
  ms: number,
  work: () => Promise<unknown>,
  onFault: (cause: unknown) => void,
): { close(): Promise<void> } {
  let closed = false;
  let underWay: Promise<void> = Promise.resolve();
  let stop = timers.at(clock.now() + ms, start);

  function start(): void {
    underWay = work()
      .then(() => undefined, onFault)
      .then(() => {
        if (!closed) stop = timers.at(clock.now() + ms, start);
      });
  }

  return {
    close: () => {
      closed = true;
      stop();
      return underWay;
    },
  };
}

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
