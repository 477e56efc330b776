import type { Clock } from '../domain/time/clock.ts';
import { webhookLimits } from './webhook-limits.ts';

/** Keeps callers from waiting for a webhook that is down. */
export type OutageBreaker = {
  /** Whether a call may go out now. After a pause one call is let through; the others wait for what it finds. */
  admit(): boolean;
  /** The webhook answered, whatever it said. */
  answered(): void;
  /** The webhook could not be asked. */
  failed(): void;
};

/**
 * Pauses for `pauseMs` after `outagesBeforePause` outages in a row, and again for as long as trials fail. `onPause` is
 * called as each of these pauses begins.
 */
export function createOutageBreaker(clock: Clock, onPause: () => void = () => undefined): OutageBreaker {
  let outages = 0;
  let pausedUntil = 0;

  return {
    admit() {
      if (outages < webhookLimits.outagesBeforePause) return true;
      if (clock.now() < pausedUntil) return false;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      return true;
    },
    answered() {
      outages = 0;
    },
    failed() {
      outages += 1;
      if (outages < webhookLimits.outagesBeforePause) return;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      onPause();
    },
  };
}
