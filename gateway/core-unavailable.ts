import type { Logger } from '../core/base/logger.ts';
import type { Clock } from '../core/base/time/clock.ts';

/** What a core cannot answer for now: a remote one that is away, or one in this process whose database is. */
const outages: readonly string[] = ['CoreUnavailableError', 'DatabaseLostError'];

/** Milliseconds to wait before a request is sent again that met an outage. */
export const outageRetryMs = 3_000;

/**
 * Whether a call of the core failed because it could not be reached or did not answer in time, or because its database did
 * not. Told by the error's name: the gateway knows no core handle.
 */
export function isCoreUnavailable(error: unknown): boolean {
  return error instanceof Error && outages.includes(error.name);
}

/** An outage that comes and goes is logged again after this long, in milliseconds. */
const betweenLines = 60_000;

/** Logs once that calls of the core fail, and once that it answers again, instead of a line for each request. */
export type OutageLog = {
  /** A call failed because the core is away, or its database (see {@link isCoreUnavailable}). */
  failed(error: unknown): void;
  answered(): void;
};

export function createOutageLog(logger: Logger, clock: Clock): OutageLog {
  let isOut = false;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    failed: (error) => {
      if (isOut) return;
      isOut = true;
      // A clock that was set back says nothing of how long ago that was.
      if (Math.abs(clock.now() - saidAt) < betweenLines) return;
      saidAt = clock.now();
      logger.error(
        { err: error },
        'The core or its database is unavailable; requests are refused with STORE_UNAVAILABLE',
      );
    },
    answered: () => {
      if (!isOut) return;
      isOut = false;
      logger.info({}, 'The core answers again');
    },
  };
}
