import type { PriceSourceConfig } from '../domain/core-config.ts';

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
