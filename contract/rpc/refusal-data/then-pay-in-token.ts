import { z } from 'zod';

/** Tokens the user may pay in. */
export const TokenOffersSchema = z
  .array(z.object({ address: z.string(), symbol: z.string(), decimals: z.int() }))
  .describe('The tokens that the user may pay in instead.');

/**
 * Data of a refusal for a used-up limit if the policy lets the user pay (`thenPayInToken`): the tokens, and how to
 * request a quote.
 */
export const ThenPayInTokenSchema = z.object({
  ask: z
    .object({ method: z.string(), mode: z.literal('ERC20') })
    .describe('How to get a quote in a token: the method, and the `mode` of its context.'),
  tokens: TokenOffersSchema,
});
export type ThenPayInToken = z.infer<typeof ThenPayInTokenSchema>;
