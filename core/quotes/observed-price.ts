import { SpanKind } from '@opentelemetry/api';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { traced } from '../base/traced.ts';
import type { Decimal, PriceReading } from './price-source.ts';
import { type ReadOutcome, shareRead } from './shared-read.ts';

/** A price from a feed, not yet checked: of any sign, and from any time (Unix seconds). */
export type Observation = { readonly price: Decimal; readonly observedAt: number };

/** Called with the duration of each read of a feed, and whether it returned a price. */
export type ReadNote = (outcome: 'answered' | 'failed', seconds: number) => void;

/** An observation up to this far ahead of our clock counts as clock skew, in seconds; one further ahead is rejected. */
const maxFutureSeconds = 120;

/** Most decimals of a feed's price; a feed with more is rejected. */
const maxDecimals = 120;

/**
 * A price observed at some time. It is rejected if it is not above zero, older than `maxAgeSeconds` or from the future. This
 * is checked at every use, so the price also ages while it is shared ({@link shareRead}).
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
