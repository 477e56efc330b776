import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';

/** What 10^18 wei were worth at a moment (Unix seconds), in millionths of a USD. */
export type SeenCoinPrice = { readonly usdMicrosPerCoin: bigint; readonly at: number };

/** The price of a chain's coin as last seen, for who cannot wait for one. */
export type LastCoinPrice = {
  /** Undefined while none was seen. However old: `at` says it. */
  last(): SeenCoinPrice | undefined;
  /** Has it read again in the background, unless that was begun a short while ago. */
  refresh(): void;
};

/** How long after one read the next begins, in milliseconds: sources may count what they are asked in a month. */
const refreshMs = 300_000;
/** The same after a read that failed. */
const retryMs = 30_000;

export function createLastCoinPrice(read: () => Promise<Result<bigint>>, clock: Clock): LastCoinPrice {
  let seen: SeenCoinPrice | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;

  async function readNow(): Promise<void> {
    const at = unixSeconds(clock);
    const price = await read().catch(() => undefined);
    if (price?.ok === true) seen = { usdMicrosPerCoin: price.value, at };
    else nextAt = Math.min(nextAt, clock.now() + retryMs);
  }

  return {
    last: () => seen,
    refresh: () => {
      const now = clock.now();
      // A clock that was set back does not keep it from being read.
      if (now < nextAt && nextAt - now <= refreshMs) return;
      nextAt = now + refreshMs;
      void readNow();
    },
  };
}

/** How old a price may be that budgets of accounts count by, in seconds: three reads of it may fail. */
const maxAge = 900;

/**
 * What 10^18 wei are worth in millionths of a USD, as last read in the background: nothing waits for it. Undefined when that is too long
 * ago, or the clock says that it is still to come.
 */
export function freshPrice(price: Pick<LastCoinPrice, 'last'>, clock: Clock): bigint | undefined {
  const seen = price.last();
  if (seen === undefined || Math.abs(unixSeconds(clock) - seen.at) > maxAge) return undefined;
  return seen.usdMicrosPerCoin;
}
