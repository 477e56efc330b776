import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';

/** The worth of 10^18 wei at a moment (Unix seconds), in millionths of a USD. */
export type SeenCoinPrice = { readonly usdMicrosPerCoin: bigint; readonly at: number };

/** The last known price of a chain's coin, for callers that cannot wait. */
export type LastCoinPrice = {
  /** Undefined if none was read yet. May be old: see `at`. */
  last(): SeenCoinPrice | undefined;
  /** Why there is no current price, in a sentence; undefined while there is one, and before the first read has ended. */
  fault(): string | undefined;
  /** Starts a read in the background, unless one was started recently. */
  refresh(): void;
};

/** Interval between reads, in milliseconds: sources may have a monthly quota. */
const refreshMs = 300_000;
/** Interval after a failed read. */
const retryMs = 30_000;

export function createLastCoinPrice(read: () => Promise<Result<bigint>>, clock: Clock): LastCoinPrice {
  let seen: SeenCoinPrice | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let failure: string | undefined;

  async function readNow(): Promise<void> {
    const at = unixSeconds(clock);
    const price = await read().catch(() => undefined);
    if (price?.ok === true) {
      seen = { usdMicrosPerCoin: price.value, at };
      failure = undefined;
      return;
    }
    nextAt = Math.min(nextAt, clock.now() + retryMs);
    failure = price === undefined ? 'The price could not be read.' : price.refusal.message;
  }

  return {
    last: () => seen,
    fault: () => (freshPrice({ last: () => seen }, clock) === undefined ? failure : undefined),
    refresh: () => {
      const now = clock.now();
      // If the clock was set back, the price is still read.
      if (now < nextAt && nextAt - now <= refreshMs) return;
      nextAt = now + refreshMs;
      void readNow();
    },
  };
}

/** Maximum age of the price for account budgets, in seconds: three reads may fail. */
const maxAge = 900;

/**
 * The worth of 10^18 wei in millionths of a USD, as last read in the background, so nothing waits. Undefined if the read is
 * too old, or in the future by the clock.
 */
export function freshPrice(price: Pick<LastCoinPrice, 'last'>, clock: Clock): bigint | undefined {
  const seen = price.last();
  if (seen === undefined || Math.abs(unixSeconds(clock) - seen.at) > maxAge) return undefined;
  return seen.usdMicrosPerCoin;
}
