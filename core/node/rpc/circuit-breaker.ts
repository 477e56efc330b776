import { TimeoutError } from 'viem';
import type { Clock } from '../../base/time/clock.ts';

/** So many failures in a row, and an endpoint rests. */
export const maxFailuresInRow = 3;
/** How long an endpoint rests before it is tried again, in milliseconds. */
export const restMs = 30_000;

/** Whether an endpoint is worth being asked first. */
export type CircuitBreaker = {
  /** It has failed too often or was too slow, and has not succeeded since. */
  rests(): boolean;
  /** Since when it does, in milliseconds; undefined while it does not. */
  restsSince(): number | undefined;
  /** Whether to find out if it is back: once the rest is over, for one caller, who has to say how it ended. */
  takeTrial(): boolean;
  succeeded(): void;
  /** One of `maxFailuresInRow` failures, or a time-out, which is enough. */
  failed(cause: unknown): void;
  /** Another one was faster although it was asked later: it rests at once. */
  wasOvertaken(cause: unknown): void;
};

/** `onRest` and `onReturn` are told once each time a rest begins, with its cause, and once when it is over. */
export function createCircuitBreaker(options: {
  readonly clock: Clock;
  /** `restMs` when absent. */
  readonly restForMs?: number;
  readonly onRest?: ((cause: unknown) => void) | undefined;
  readonly onReturn?: (() => void) | undefined;
}): CircuitBreaker {
  const { clock, restForMs = restMs, onRest, onReturn } = options;
  let failures = 0;
  let restsUntil: number | undefined;
  let restsSince: number | undefined;
  let isTried = false;

  function rest(cause: unknown): void {
    const isNew = restsUntil === undefined;
    restsUntil = clock.now() + restForMs;
    isTried = false;
    if (!isNew) return;
    restsSince = clock.now();
    onRest?.(cause);
  }

  return {
    rests: () => restsUntil !== undefined,
    restsSince: () => restsSince,
    takeTrial: () => {
      if (restsUntil === undefined || isTried) return false;
      const left = restsUntil - clock.now();
      // A rest that is longer than any was begun by a clock that was ahead.
      if (left > 0 && left <= restForMs) return false;
      isTried = true;
      return true;
    },
    succeeded: () => {
      failures = 0;
      if (restsUntil === undefined) return;
      restsUntil = undefined;
      restsSince = undefined;
      onReturn?.();
    },
    failed: (cause) => {
      failures += 1;
      if (restsUntil !== undefined || failures >= maxFailuresInRow || cause instanceof TimeoutError) rest(cause);
    },
    wasOvertaken: rest,
  };
}
