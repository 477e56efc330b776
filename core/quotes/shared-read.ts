import type { Clock } from '../base/time/clock.ts';

/** What came of a read: a value, or why there is none (words that follow the name of what was read). */
export type ReadOutcome<T> = { readonly value: T } | { readonly problem: string };

/** How long a value is used before it is read again, in milliseconds. */
export const sharedMilliseconds = 5_000;

/**
 * How long nothing is read after a read that failed, in milliseconds: a feed that is down is not asked for every
 * request.
 */
const pauseMilliseconds = 1_000;

/** When a value that is used is as old as this, the next one is read next to the callers, in milliseconds. */
const renewedAfterMilliseconds = 4_000;

type Last<T> = { readonly outcome: ReadOutcome<T>; readonly begunAt: number; isRenewed: boolean };

/**
 * Makes many callers share one read: anyone who asks while it is under way waits for the same one, and for a few seconds
 * after it began no one reads again. Shortly before they are over, one who asks has it read for those who come: what is
 * asked for all the time is waited for once. The returned function never rejects; when `read` does, it "could not be
 * read".
 */
export function shareRead<T>(read: () => Promise<ReadOutcome<T>>, clock: Clock): () => Promise<ReadOutcome<T>> {
  let last: Last<T> | undefined;
  let inFlight: Promise<ReadOutcome<T>> | undefined;

  /** A clock that was set back makes the age negative, and what was read is of an unknown time. */
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
      // The error holds URLs and the words of a library; that it failed is all there is to say.
    }
    // A value is used to its end when the next one could not be read next to it.
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
