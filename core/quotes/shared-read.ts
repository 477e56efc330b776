import type { Clock } from '../domain/time/clock.ts';

/** What came of a read: a value, or why there is none (words that follow the name of what was read). */
export type ReadOutcome<T> = { readonly value: T } | { readonly problem: string };

/** How long a value is used before it is read again, in milliseconds. */
export const sharedMilliseconds = 5_000;

/** How long nothing is read after a read that failed, in milliseconds: a feed that is down is not asked for every request. */
export const pauseMilliseconds = 1_000;

/**
 * Makes many callers share one read: whoever asks while it is under way waits for the same one, and for a few seconds
 * after it began nobody reads again. The returned function never rejects; when `read` does, it "could not be read".
 */
export function shareRead<T>(read: () => Promise<ReadOutcome<T>>, clock: Clock): () => Promise<ReadOutcome<T>> {
  let last: { readonly outcome: ReadOutcome<T>; readonly begunAt: number } | undefined;
  let inFlight: Promise<ReadOutcome<T>> | undefined;

  async function readAnew(): Promise<ReadOutcome<T>> {
    const begunAt = clock.now();
    let outcome: ReadOutcome<T> = { problem: 'could not be read' };
    try {
      outcome = await read();
    } catch {
      // The error holds URLs and the words of a library; that it failed is all there is to say.
    }
    last = { outcome, begunAt };
    inFlight = undefined;
    return outcome;
  }

  return async () => {
    if (last !== undefined) {
      const age = clock.now() - last.begunAt;
      const lasts = 'value' in last.outcome ? sharedMilliseconds : pauseMilliseconds;
      // A clock that was set back makes the age negative, and what was read is of an unknown time.
      if (age >= 0 && age < lasts) return last.outcome;
    }
    inFlight ??= readAnew();
    return inFlight;
  };
}
