import type { Clock } from '../base/time/clock.ts';
import { webhookLimits } from './webhook-limits.ts';

/** Keeps callers from waiting for a webhook that is down. */
export type OutageBreaker = {
  /** Whether a call may go out now. After a pause one call is let through; the others wait for what it finds. */
  admit(): boolean;
  /** That it is left alone because its own server was down each time: as often as a pause takes, and not once did it answer since. */
  isDown(): boolean;
  /** The webhook answered, whatever it said. */
  answered(): void;
  /** The webhook could not be asked; `isDown` where that was its own server's doing. */
  failed(outage: { readonly isDown: boolean }): void;
};

/**
 * Pauses for `pauseMs` after `outagesBeforePause` outages in a row, and again for as long as trials fail. `onPause` is
 * called as each of these pauses begins.
 */
export function createOutageBreaker(clock: Clock, onPause: () => void = () => undefined): OutageBreaker {
  let outages = 0;
  let ofServer = 0;
  let pausedUntil = 0;

  return {
    admit() {
      if (outages < webhookLimits.outagesBeforePause) return true;
      if (clock.now() < pausedUntil) return false;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      return true;
    },
    isDown: () => ofServer >= webhookLimits.outagesBeforePause,
    answered() {
      outages = 0;
      ofServer = 0;
    },
    failed({ isDown }) {
      outages += 1;
      if (isDown) ofServer += 1;
      if (outages < webhookLimits.outagesBeforePause) return;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      onPause();
    },
  };
}
