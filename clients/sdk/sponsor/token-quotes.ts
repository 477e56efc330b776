import type { FeeQuoteItem } from '@tollfree/contract/rpc/sponsorship-result';
import type { Address } from 'viem';
import {
  readAddress,
  readArray,
  readInteger,
  readNumber,
  readObject,
  readOneOf,
  readOptional,
  readOrNothing,
  readPattern,
  readText,
} from './read-form.ts';

/** What an operation costs at most in one token (interface 2.6). */
export type TokenQuote = Omit<FeeQuoteItem, 'tokenAddress' | 'maxGasFee' | 'exchangeRate'> & {
  readonly tokenAddress: Address;
  /** In whole tokens, as exact decimal text. `maximumTokenAmount` gives it in base units. */
  readonly maxGasFee: string;
  /** Token base units for 10^18 wei. */
  readonly exchangeRate: bigint;
};

/** Quotes, preferred token first, then by premium. */
export type TokenQuotes = {
  readonly mode: 'ERC20';
  /** Spender that the token allowance is for. */
  readonly paymasterAddress: Address;
  readonly feeQuotes: readonly TokenQuote[];
  /** Requested tokens the service does not take, as they were sent. */
  readonly unsupportedTokens: readonly string[];
  readonly decisionId: string;
};

/** Token quotes whose numbers are rounded as doubles hold them. */
export type RoundedQuotes = Omit<TokenQuotes, 'feeQuotes'> & {
  readonly feeQuotes: readonly (Omit<FeeQuoteItem, 'tokenAddress'> & { readonly tokenAddress: Address })[];
};

export const readTokenQuotes = readObject<RoundedQuotes>({
  mode: readOneOf('ERC20'),
  paymasterAddress: readAddress,
  feeQuotes: readArray(
    readObject<RoundedQuotes['feeQuotes'][number]>({
      symbol: readText,
      decimal: readInteger,
      tokenAddress: readAddress,
      maxGasFee: readNumber,
      maxGasFeeUSD: readNumber,
      exchangeRate: readNumber,
      premiumPercentage: readText,
      validUntil: readInteger,
      logoUrl: readText,
      userPaysPercent: readOptional(readInteger),
    }),
  ),
  unsupportedTokens: readArray(readText),
  decisionId: readText,
});

type ExactNumbers = Pick<TokenQuote, 'maxGasFee' | 'exchangeRate'>;

/** The numbers of the quotes that doubles do not hold, from the answer with its numbers as text. */
const readExactAnswer = readObject<{ readonly result: { readonly feeQuotes: readonly ExactNumbers[] } }>({
  result: readObject<{ readonly feeQuotes: readonly ExactNumbers[] }>({
    feeQuotes: readArray(
      readObject<ExactNumbers>({
        maxGasFee: readPattern(/^\d{1,100}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/, (text) => text),
        exchangeRate: readPattern(/^\d{1,400}$/, BigInt),
      }),
    ),
  }),
});

/** Joins quotes with their exact numbers. Undefined when those are not in the form of the interface. */
export function withExactNumbers(quotes: RoundedQuotes, answerWithNumbersAsText: unknown): TokenQuotes | undefined {
  const exact = readOrNothing(readExactAnswer, answerWithNumbersAsText);
  if (exact === undefined) return undefined;
  const feeQuotes = quotes.feeQuotes.flatMap((quote, index) => {
    const numbers = exact.result.feeQuotes[index];
    return numbers === undefined ? [] : [{ ...quote, ...numbers }];
  });
  return { ...quotes, feeQuotes };
}

/** A nonnegative JSON number with a bounded number of digits. */
const literal = /^(?<whole>\d{1,100})(?:\.(?<fraction>\d{1,300}))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/** Decimals of a token are a `uint8` (ERC-20). */
const maxDecimals = 255;

/**
 * The most a quoted operation can cost, in base units of the token: exact, rounded up. The allowance to give to
 * `paymasterAddress`.
 *
 * @example
 * maximumTokenAmount({ maxGasFee: '0.0000015', decimal: 6 }); // 2n
 *
 * @throws RangeError when the quote does not hold an amount.
 */
export function maximumTokenAmount(quote: Pick<TokenQuote, 'maxGasFee' | 'decimal'>): bigint {
  const { maxGasFee, decimal } = quote;
  const groups = literal.exec(maxGasFee)?.groups;
  if (groups === undefined || !Number.isInteger(decimal) || decimal < 0 || decimal > maxDecimals) {
    throw new RangeError('The quote does not hold an amount of tokens.');
  }
  const { whole = '', fraction = '', exponent = '0' } = groups;
  const digits = BigInt(whole + fraction);
  const scale = decimal + Number(exponent) - fraction.length;
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return (digits + divisor - 1n) / divisor;
}
