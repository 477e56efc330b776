import type { TokenQuote } from '../sponsor/token-quotes.ts';

/** The operation would cost the user more than the highest amount that was given. Nothing was signed or sent. */
export class TokenPaymentTooHighError extends Error {
  override readonly name = 'TokenPaymentTooHighError';
  /** What it can cost at most, in base units of the token. */
  readonly maximum: bigint;
  readonly quote: TokenQuote;

  constructor({ maximum, quote }: { readonly maximum: bigint; readonly quote: TokenQuote }) {
    super(`The operation can cost up to ${quote.maxGasFee} ${quote.symbol}, more than the user is to pay.`);
    this.maximum = maximum;
    this.quote = quote;
  }
}
