import type { PriceSourceConfig } from '../domain/core-config.ts';

/** An exact decimal fraction: `value / 10^decimals`. */
export type Decimal = { readonly value: bigint; readonly decimals: number };

/** A price in USD for one whole unit of a token or coin, always above zero. */
export type UsdPrice = Decimal;

/**
 * What a source says: a price, or why it has none, in words that follow the name of the source ("could not be read") and
 * hold neither a secret nor anybody else's text.
 */
export type PriceReading = { readonly price: UsdPrice } | { readonly problem: string };

/** Where a price comes from. Rather than an old number it has none. Never rejects. */
export type PriceSource = { readonly kind: PriceSourceConfig['kind']; read(): Promise<PriceReading> };
