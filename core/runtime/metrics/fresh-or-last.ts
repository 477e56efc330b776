import type { Clock, Timers } from '../../base/time/clock.ts';

/** Least time that a reading is used, in milliseconds. */
export const minValidMs = 1_000;
/** How much longer it is used than it took: a slow one runs at most a twentieth of the time. */
const restsAfter = 20;

/**
 * Reads occasionally, and waits at most `waitMs`; then the last reading is used. Undefined before the first one. Rejections
 * of `read` go to `onFault`; concurrent callers share one reading.
 */
export function freshOrLast<T>(
  read: () => Promise<T>,
  options: {
    readonly waitMs: number;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly onFault: (cause: unknown) => void;
  },
): () => Promise<T | undefined> {
  const { waitMs, clock, timers, onFault } = options;
  let last: { readonly value: T; readonly validUntil: number; readonly begunAt: number } | undefined;
  let underWay: Promise<void> | undefined;

  async function readAnew(): Promise<void> {
    const begunAt = clock.now();
    try {
      const value = await read();
      const took = Math.max(clock.now() - begunAt, 0);
      last = { value, begunAt, validUntil: begunAt + Math.max(minValidMs, took * restsAfter) };
    } catch (cause) {
      onFault(cause);
    } finally {
      underWay = undefined;
    }
  }

  return async () => {
    const now = clock.now();
    // If the clock was set back, the last reading seems to come from the future.
    if (last !== undefined && now >= last.begunAt && now < last.validUntil) return last.value;
    underWay ??= readAnew();
    let stop = () => {};
    const tooLate = new Promise<void>((resolve) => {
      stop = timers.at(now + waitMs, resolve);
    });
    await Promise.race([underWay, tooLate]);
    stop();
    return last?.value;
  };
}
