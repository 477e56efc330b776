import { z } from 'zod';
import { afterType } from '../fields/form.ts';
import { maxTokens } from '../limits.ts';
import { ChainIdParamSchema, EntryPointParamSchema, NoParamsSchema } from './chain-reference.ts';

const tokens = z
  .array(z.string({ error: 'must be a string' }), { error: 'must be an array' })
  .check(afterType(z.maxLength(maxTokens, { error: `must have at most ${maxTokens} elements` })))
  .describe('Token addresses.');

export const PimlicoGetTokenQuotesParamsSchema = z.tuple(
  [z.object({ tokens }, { error: 'must be an object' }), EntryPointParamSchema, ChainIdParamSchema],
  { error: 'must be an array of an object, an EntryPoint and a chain id' },
);
export type PimlicoGetTokenQuotesParams = z.infer<typeof PimlicoGetTokenQuotesParamsSchema>;

const quote = z.object({
  paymaster: z.string().describe('Spender that the token allowance is for.'),
  token: z.string(),
  postOpGas: z.string().describe('Hex. Gas that is charged on top of the operation’s own limits.'),
  exchangeRate: z.string().describe('Hex. Token base units per 10^18 wei, premium included.'),
  exchangeRateNativeToUsd: z.string().describe('Hex. USD for one of the chain’s coin, with 6 decimals.'),
  balanceSlot: z
    .string()
    .optional()
    .describe('Hex. Storage slot of the token’s balances, for estimates that override state. If the operator set it.'),
  allowanceSlot: z.string().optional().describe('Hex. Storage slot of the token’s allowances. If the operator set it.'),
});

export const PimlicoGetTokenQuotesResultSchema = z.object({
  quotes: z.array(quote).describe('Tokens that are not accepted are left out.'),
});
export type PimlicoGetTokenQuotesResult = z.infer<typeof PimlicoGetTokenQuotesResultSchema>;

/** Current token prices. An operation costs at most `(gas + postOpGas) * maxFeePerGas * exchangeRate / 10^18`. */
export const pimlicoGetTokenQuotes = {
  method: 'pimlico_getTokenQuotes',
  params: PimlicoGetTokenQuotesParamsSchema,
  result: PimlicoGetTokenQuotesResultSchema,
} as const;

export const PimlicoGetSupportedTokensParamsSchema = NoParamsSchema;
export type PimlicoGetSupportedTokensParams = z.infer<typeof PimlicoGetSupportedTokensParamsSchema>;

export const PimlicoGetSupportedTokensResultSchema = z.array(
  z.object({
    name: z.string().describe('The token’s symbol. No longer name is configured.'),
    symbol: z.string(),
    decimals: z.int(),
    token: z.string().describe('Address.'),
  }),
);
export type PimlicoGetSupportedTokensResult = z.infer<typeof PimlicoGetSupportedTokensResultSchema>;

/** The tokens the paymaster accepts; none for one that only sponsors. */
export const pimlicoGetSupportedTokens = {
  method: 'pimlico_getSupportedTokens',
  params: PimlicoGetSupportedTokensParamsSchema,
  result: PimlicoGetSupportedTokensResultSchema,
} as const;
