import { TimeoutError } from 'viem';
import type { Clock } from '../../base/time/clock.ts';

/** After this many failures in a row, an endpoint is paused. */
export const maxFailuresInRow = 3;
/** How long an endpoint is paused before it is tried again, in milliseconds. */
export const restMs = 30_000;

/** Tracks whether an endpoint should be asked first. */
export type CircuitBreaker = {
  /** It failed too often or was too slow, and has not succeeded since. */
  rests(): boolean;
  /** Start of the pause, in milliseconds; undefined while not paused. */
  restsSince(): number | undefined;
  /** Whether to try the endpoint again: true once the pause is over, for one caller, who must report the outcome. */
  takeTrial(): boolean;
  succeeded(): void;
  /** Reports one of `maxFailuresInRow` failures, or a time-out, which is enough by itself. */
  failed(cause: unknown): void;
  /** Another endpoint was faster although it was asked later: this one is paused at once. */
  wasOvertaken(cause: unknown): void;
};

/** `onRest` is called when a pause begins, with its cause; `onReturn` when it is over. Each once. */
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
      // A longer remaining time than any pause means that the clock was ahead.
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
