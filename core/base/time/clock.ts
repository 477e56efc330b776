/** Runs `work` repeatedly, each time `ms` after the previous run ended. Its rejections go to `onFault`. */
export function repeat(
  { clock, timers }: { clock: Clock; timers: Timers },
  ms: number,
  work: () => Promise<unknown>,
  onFault: (cause: unknown) => void,
): { close(): Promise<void> } {
  let closed = false;
  let underWay: Promise<void> = Promise.resolve();
  let stop = timers.at(clock.now() + ms, start);

  function start(): Promise<void> {
    underWay = work()
      .then(() => undefined, onFault)
      .then(() => {
        if (!closed) stop = timers.at(clock.now() + ms, start);
      });
    return underWay;
  }

  return {
    close: () => {
      closed = true;
      stop();
      return underWay;
    },
  };
}

/** The service's timers, passed in so that tests can fire them. */
export type Timers = {
  /**
   * Runs `work` once at a time in Unix milliseconds, or soon if that has passed; the returned function cancels it. What `work`
   * returns is for who fires the timers by hand: it may be waited for.
   */
  at(time: number, work: () => unknown): () => void;
};

export function createTimers(clock: Clock): Timers {
  return {
    at(time, work) {
      const timer = setTimeout(work, Math.max(time - clock.now(), 0));
      return () => clearTimeout(timer);
    },
  };
}

/** The service's clock, passed in so that tests can set it. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
};

/** The clock's time in whole Unix seconds, rounded down. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1_000);
}

/** A time in Unix seconds in readable form: `2026-01-31T08:00:00Z`. */
export function utcTime(moment: number): string {
  return new Date(moment * 1000).toISOString().replace('.000Z', 'Z');
}
