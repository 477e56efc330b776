import type { Timers } from '../../core/base/time/clock.ts';
import type { TestClock } from '../support/core/start-management.ts';

/** Timers that run out when the test says so, by a clock that the test sets. */
export type TestTimers = Timers & {
  /** Lets so many seconds pass and runs what they end. */
  pass(seconds: number): void;
};

export function createTestTimers(clock: TestClock): TestTimers {
  const waiting = new Set<{ readonly at: number; readonly work: () => void }>();
  return {
    at(time, work) {
      const timer = { at: time, work };
      if (time <= clock.now()) {
        queueMicrotask(work);
        return () => undefined;
      }
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    pass(seconds) {
      clock.advance(seconds);
      for (const timer of [...waiting]) {
        if (timer.at > clock.now()) continue;
        waiting.delete(timer);
        timer.work();
      }
    },
  };
}
