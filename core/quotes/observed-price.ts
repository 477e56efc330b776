import { SpanKind } from '@opentelemetry/api';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { traced } from '../base/traced.ts';
import type { Decimal, PriceReading } from './price-source.ts';
import { type ReadOutcome, shareRead } from './shared-read.ts';

/** A price as a feed has it, still to be judged: of any sign, and from any time (Unix seconds). */
export type Observation = { readonly price: Decimal; readonly observedAt: number };

/** Told how long a feed took each time it was read, and whether it had anything to say. */
export type ReadNote = (outcome: 'answered' | 'failed', seconds: number) => void;

/** An observation this far ahead of our clock is taken for skew, in seconds; further ahead it is not believed. */
const maxFutureSeconds = 120;

/** Most fraction digits a feed's price may have; a feed with more is not one. */
const maxDecimals = 120;

/**
 * A price that was observed at some time. One that is not above zero, older than `maxAgeSeconds` or from the future is
 * none: it is judged each time it is asked for, so that it also grows old while it is shared ({@link shareRead}).
 */
export function createObservedPrice(options: {
  readonly observe: () => Promise<ReadOutcome<Observation>>;
  readonly maxAgeSeconds: number;
  readonly clock: Clock;
  readonly noteRead?: ReadNote | undefined;
}): () => Promise<PriceReading> {
  const { maxAgeSeconds, clock, noteRead } = options;
  const read = () => traced({ name: 'price', kind: SpanKind.CLIENT }, options.observe);
  const observe = shareRead(noteRead === undefined ? read : timed(read, clock, noteRead), clock);
  return async () => {
    const outcome = await observe();
    if ('problem' in outcome) return outcome;
    const { price, observedAt } = outcome.value;
    const age = unixSeconds(clock) - observedAt;
    if (price.decimals > maxDecimals) return { problem: 'has a price with too many digits' };
    if (price.value <= 0n) return { problem: 'has a price that is not above zero' };
    if (age < -maxFutureSeconds) return { problem: `has a price from ${-age} seconds in the future` };
    if (!(age <= maxAgeSeconds)) {
      return { problem: `has a price from ${age} seconds ago, but at most ${maxAgeSeconds} are allowed` };
    }
    return { price };
  };
}

function timed(
  observe: () => Promise<ReadOutcome<Observation>>,
  clock: Clock,
  noteRead: ReadNote,
): () => Promise<ReadOutcome<Observation>> {
  return async () => {
    const begunAt = clock.now();
    let outcome: Parameters<ReadNote>[0] = 'failed';
    try {
      const observed = await observe();
      if ('value' in observed) outcome = 'answered';
      return observed;
    } finally {
      noteRead(outcome, Math.max(clock.now() - begunAt, 0) / 1_000);
    }
  };
}
