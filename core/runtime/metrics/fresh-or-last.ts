import type { Clock } from '../../base/time/clock.ts';
import type { Timers } from '../../base/time/timers.ts';

/** How long a reading serves at least, in milliseconds. */
export const minValidMs = 1_000;
/** How much longer it serves than it took: a slow one is under way a twentieth of the time at most. */
const restsAfter = 20;

/**
 * Reads now and then, and waits no longer than `waitMs` for it: then what was read last has to do. Undefined before
 * anything was read. What `read` rejects with goes to `onFault`; callers at the same time share one reading.
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
    // A clock that was set back makes what was read come from the future.
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
