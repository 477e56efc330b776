import { type FeeQuoteItem, FeeQuoteSchema, TokenQuotesResultSchema } from '@tollfree/contract/rpc/sponsorship-result';
import type { Address } from 'viem';
import { z } from 'zod';
import { AddressSchema } from './wire-fields.ts';

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

export const TokenQuotesSchema = TokenQuotesResultSchema.extend({
  paymasterAddress: AddressSchema,
  feeQuotes: z.array(FeeQuoteSchema.extend({ tokenAddress: AddressSchema })),
}).omit({ MODE: true });

/** The numbers of the quotes that doubles do not hold, from the answer with its numbers as text. */
const ExactAnswerSchema = z.object({
  result: z.object({
    feeQuotes: z.array(
      z.object({
        maxGasFee: z.string().regex(/^\d{1,100}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/),
        exchangeRate: z
          .string()
          .regex(/^\d{1,400}$/)
          .transform(BigInt),
      }),
    ),
  }),
});

/** Joins quotes with their exact numbers. Undefined when those are not in the form of the interface. */
export function withExactNumbers(
  quotes: z.output<typeof TokenQuotesSchema>,
  answerWithNumbersAsText: unknown,
): TokenQuotes | undefined {
  const exact = ExactAnswerSchema.safeParse(answerWithNumbersAsText);
  if (!exact.success) return undefined;
  const feeQuotes = quotes.feeQuotes.flatMap((quote, index) => {
    const numbers = exact.data.result.feeQuotes[index];
    return numbers === undefined ? [] : [{ ...quote, ...numbers }];
  });
  return { ...quotes, feeQuotes };
}
