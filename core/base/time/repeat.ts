import type { Clock } from './clock.ts';
import type { Timers } from './timers.ts';

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
