import { SpanKind } from '@opentelemetry/api';
import { counted } from '@tollfree/contract/counted';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { traced } from '../base/traced.ts';
import type { PriceSourceConfig } from '../domain/core-config.ts';
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
    if (age < -maxFutureSeconds) return { problem: `has a price from ${counted(-age, 'second')} in the future` };
    if (!(age <= maxAgeSeconds)) {
      return { problem: `has a price from ${counted(age, 'second')} ago, but at most ${maxAgeSeconds} are allowed` };
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

/** An exact decimal fraction: `value / 10^decimals`. */
export type Decimal = { readonly value: bigint; readonly decimals: number };

/** A price in USD for one whole unit of a token or coin, always above zero. */
export type UsdPrice = Decimal;

/**
 * A source's answer: a price, or why it has none. The reason follows the source's name in a sentence ("could not be read")
 * and contains no secret and no third party's text.
 */
export type PriceReading = { readonly price: UsdPrice } | { readonly problem: string };

/** A source of prices. It returns none rather than an old one. Never rejects. */
export type PriceSource = { readonly kind: PriceSourceConfig['kind']; read(): Promise<PriceReading> };

/**
 * The source's name for the operator: its kind, and its contract or host. No other part of a URL, which may contain a key.
 */
export function priceSourceName(config: PriceSourceConfig): string {
  switch (config.kind) {
    case 'fixed':
      return config.kind;
    case 'chainlink':
      return `${config.kind} ${config.aggregator}`;
    case 'uniswap-v3':
      return `${config.kind} ${config.pool}`;
    case 'http':
      return `${config.kind} ${new URL(config.url).hostname}`;
  }
}

/** Most digits before the point, most after it, and the largest exponent in either direction. */
const maxDigits = 40;

const literal = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/**
 * A JSON number, read exactly: `1999.99`, `-1`, `2.5e-7`. Undefined for anything else, and for a number with more than 40
 * digits on either side of its point.
 */
export function readDecimal(text: string): Decimal | undefined {
  const groups = literal.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { sign, whole = '', fraction = '', exponent = '0' } = groups;
  const shift = Number(exponent);
  if (whole.length > maxDigits || fraction.length > maxDigits || Math.abs(shift) > maxDigits) return undefined;
  const digits = BigInt(whole + fraction);
  const value = sign === '-' ? -digits : digits;
  const decimals = fraction.length - shift;
  return decimals < 0 ? { value: value * 10n ** BigInt(-decimals), decimals: 0 } : { value, decimals };
}
