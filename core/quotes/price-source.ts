import type { Result } from '../domain/result.ts';

/** A price in USD for one whole unit of a coin, as an exact fraction: `value / 10^decimals`, always above zero. */
export type UsdPrice = { readonly value: bigint; readonly decimals: number };

/** Where a price comes from. Refuses with `PRICE_UNAVAILABLE` rather than give an old number. */
export type PriceSource = { readonly name: string; read(): Promise<Result<UsdPrice>> };
