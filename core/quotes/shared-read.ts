import type { Clock } from '../base/time/clock.ts';

/** The result of a read: a value, or why there is none (as text that follows the name of the source). */
export type ReadOutcome<T> = { readonly value: T } | { readonly problem: string };

/** How long a value is used before it is read again, in milliseconds. */
export const sharedMilliseconds = 5_000;

/**
 * How long no new read starts after a failed one, in milliseconds, so that a feed that is down is not read for every
 * request.
 */
const pauseMilliseconds = 1_000;

/** Age in milliseconds from which the next value is read in the background while the current one is still used. */
const renewedAfterMilliseconds = 4_000;

type Last<T> = { readonly outcome: ReadOutcome<T>; readonly begunAt: number; isRenewed: boolean };

/**
 * Lets many callers share one read: a call during a read waits for it, and its value is reused for a few seconds. Shortly
 * before these end, a call starts the next read in the background, so under constant load only the first caller waits. The
 * returned function never rejects; when `read` does, it "could not be read".
 */
export function shareRead<T>(read: () => Promise<ReadOutcome<T>>, clock: Clock): () => Promise<ReadOutcome<T>> {
  let last: Last<T> | undefined;
  let inFlight: Promise<ReadOutcome<T>> | undefined;

  /** If the clock was set back, the age is negative and the value's real age unknown. */
  function isFresh({ outcome, begunAt }: Last<T>): boolean {
    const age = clock.now() - begunAt;
    return age >= 0 && age < ('value' in outcome ? sharedMilliseconds : pauseMilliseconds);
  }

  async function readAnew(): Promise<ReadOutcome<T>> {
    const begunAt = clock.now();
    let outcome: ReadOutcome<T> = { problem: 'could not be read' };
    try {
      outcome = await read();
    } catch {
      // The error may contain URLs and library text, so only the failure itself is reported.
    }
    // If the next value could not be read in the background, the current one is used until it expires.
    const isWorse = 'problem' in outcome && last !== undefined && isFresh(last);
    if (!isWorse) last = { outcome, begunAt, isRenewed: false };
    inFlight = undefined;
    return outcome;
  }

  return async () => {
    if (last === undefined || !isFresh(last)) {
      inFlight ??= readAnew();
      return inFlight;
    }
    const { outcome, begunAt, isRenewed } = last;
    if ('value' in outcome && !isRenewed && clock.now() - begunAt >= renewedAfterMilliseconds) {
      last.isRenewed = true;
      inFlight ??= readAnew();
    }
    return outcome;
  };
}
