import { z } from 'zod';
import { validUntil } from './paymaster-fields.ts';

/** Fields of a sponsorship result that exist only from EntryPoint 0.7 on: the parts of `paymasterAndData`. */
const paymasterParts = {
  paymaster: z.string().optional(),
  paymasterData: z.string().optional(),
  paymasterVerificationGasLimit: z.string().optional().describe('Hex.'),
  paymasterPostOpGasLimit: z.string().optional().describe('Hex.'),
} as const;

function signedResult<const Mode extends 'SPONSORED' | 'ERC20'>(mode: Mode) {
  return z.object({
    mode: z.literal(mode),
    MODE: z.literal(mode),
    paymasterAndData: z.string().describe('Hex. For EntryPoint 0.7 and later: the packed fields.'),
    preVerificationGas: z.string().describe('Decimal digits.'),
    verificationGasLimit: z.int(),
    callGasLimit: z.int(),
    ...paymasterParts,
    validUntil,
    decisionId: z.string(),
  });
}

/** Signed paymaster data of sponsorship mode (interface 2.5). */
export const SponsoredResultSchema = signedResult('SPONSORED');
export type SponsoredResult = z.infer<typeof SponsoredResultSchema>;

/** Signed paymaster data of token mode. */
export const TokenPaidResultSchema = signedResult('ERC20');
export type TokenPaidResult = z.infer<typeof TokenPaidResultSchema>;

export const FeeQuoteSchema = z.object({
  symbol: z.string(),
  decimal: z.int(),
  tokenAddress: z.string(),
  maxGasFee: z.number().describe('Maximum cost of the operation in whole tokens, rounded up.'),
  maxGasFeeUSD: z.number().describe('Maximum cost in USD.'),
  exchangeRate: z.number().describe('Token base units per 10^18 wei. Always an exact integer, however large.'),
  premiumPercentage: z.string().describe('Numeric text, e.g. `12.5`.'),
  validUntil: z.int().describe('Unix seconds until which a signature costs the user no more than this quote.'),
  logoUrl: z.string(),
  userPaysPercent: z
    .int()
    .optional()
    .describe('The percentage of the gas that the user pays; the rest is sponsored. The quote covers this part only.'),
});
export type FeeQuoteItem = z.infer<typeof FeeQuoteSchema>;

/** Quotes of token mode (interface 2.6), preferred token first, then by premium. */
export const TokenQuotesResultSchema = z.object({
  mode: z.literal('ERC20'),
  MODE: z.literal('ERC20'),
  paymasterAddress: z.string().describe('Spender that the token allowance is for.'),
  feeQuotes: z.array(FeeQuoteSchema),
  unsupportedTokens: z.array(z.string()).describe('The tokens that are not accepted, as they were sent.'),
  decisionId: z.string(),
});
export type TokenQuotesResult = z.infer<typeof TokenQuotesResultSchema>;
