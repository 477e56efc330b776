import type { Logger } from '../core/base/logger.ts';
import type { Clock } from '../core/base/time/clock.ts';

/** Errors of a core that cannot answer for now: a remote core that is unreachable, or a local one without its database. */
const outages: readonly string[] = ['CoreUnavailableError', 'DatabaseLostError'];

/** Milliseconds after which a request that met an outage should be retried. */
export const outageRetryMs = 3_000;

/**
 * Whether a call failed because the core or its database was unreachable or too slow. Decided by the error's name, since the
 * gateway does not know which implementation of the core it uses.
 */
export function isCoreUnavailable(error: unknown): boolean {
  return error instanceof Error && outages.includes(error.name);
}

/** Whether a call ended because its client has gone: that is no fault, and there is no one to answer. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.name === 'CallGivenUpError';
}

/** Whether the core runs an earlier version than this gateway and does not have the operation. */
export function isCoreOutdated(error: unknown): error is Error {
  return error instanceof Error && error.name === 'CoreOutdatedError';
}

/** An intermittent outage is logged again after this long, in milliseconds. */
const betweenLines = 60_000;

/** Logs once when calls of the core fail, and once when it answers again, instead of a line per request. */
export type OutageLog = {
  /** A call failed because the core or its database is unreachable (see {@link isCoreUnavailable}). */
  failed(error: unknown): void;
  /** The core does not have an operation (see {@link isCoreOutdated}): logged once for each, as clients ask again and again. */
  outdated(error: Error): void;
  answered(): void;
};

export function createOutageLog(logger: Logger, clock: Clock): OutageLog {
  let isOut = false;
  let saidAt = Number.NEGATIVE_INFINITY;
  const lacking = new Set<string>();
  return {
    failed: (error) => {
      if (isOut) return;
      isOut = true;
      // If the clock was set back, the elapsed time is unknown.
      if (Math.abs(clock.now() - saidAt) < betweenLines) return;
      saidAt = clock.now();
      logger.error(
        { err: error },
        'The core or its database is unavailable; requests are refused with STORE_UNAVAILABLE',
      );
    },
    outdated: (error) => {
      if (lacking.has(error.message)) return;
      lacking.add(error.message);
      logger.error({ err: error }, 'The core runs an earlier version than this gateway; upgrade the core');
    },
    answered: () => {
      if (!isOut) return;
      isOut = false;
      logger.info({}, 'The core answers again');
    },
  };
}
