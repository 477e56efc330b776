import type { Timers } from '../../base/time/timers.ts';

/** Something to wait for, that others ring. */
export type Bell = {
  ring(): void;
  /** Resolves at a time in Unix milliseconds, or when it rings; at once when it has rung since the last wait. */
  wait(until: number): Promise<void>;
};

export function createBell(timers: Timers): Bell {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait(until) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const stop = timers.at(until, resolve);
          answer = () => {
            stop();
            resolve();
          };
        });
        answer = undefined;
      }
      rung = false;
    },
  };
}
