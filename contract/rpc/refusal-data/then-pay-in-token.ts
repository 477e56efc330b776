import { z } from 'zod';

/** Tokens that a user may pay in. */
export const TokenOffersSchema = z
  .array(z.object({ address: z.string(), symbol: z.string(), decimals: z.int() }))
  .describe('The tokens that the user may pay in instead.');

/** What a refusal for a used-up limit says where the policy lets the user pay (`thenPayInToken`): in what, and how to ask. */
export const ThenPayInTokenSchema = z.object({
  ask: z
    .object({ method: z.string(), mode: z.literal('ERC20') })
    .describe('What quotes the operation in a token: the method, and the `mode` of its context.'),
  tokens: TokenOffersSchema,
});
export type ThenPayInToken = z.infer<typeof ThenPayInTokenSchema>;
