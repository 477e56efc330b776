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

/** What a source is called before the operator: its kind, and its contract or host. Of a URL nothing else, it may hold a key. */
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

/** Most digits before the point, digits after it and, either way, places that an exponent moves it. */
const maxDigits = 40;

const literal = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/**
 * A decimal number as JSON writes it, read exactly: `1999.99`, `-1`, `2.5e-7`. Undefined for anything else, and for a
 * number with more than 40 digits on either side of its point.
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
