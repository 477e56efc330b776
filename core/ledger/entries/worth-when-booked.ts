import { worthUsdMicros } from '../../policies/worth-usd.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';

/** What wei were worth, in millionths of a USD, as the columns of an entry. */
export type BookedWorth = {
  readonly usd_micros: number;
  readonly usd_micros_per_coin: number;
  readonly priced_at: number;
};

/** Undefined without a price, and where the numbers exceed any real one. */
export function worthWhenBooked(wei: bigint, price: SeenCoinPrice | undefined): BookedWorth | undefined {
  if (price === undefined) return undefined;
  const { usdMicrosPerCoin, at } = price;
  const usdMicros = worthUsdMicros(wei, usdMicrosPerCoin);
  if (usdMicros > Number.MAX_SAFE_INTEGER || usdMicrosPerCoin > Number.MAX_SAFE_INTEGER) return undefined;
  return { usd_micros: Number(usdMicros), usd_micros_per_coin: Number(usdMicrosPerCoin), priced_at: at };
}
