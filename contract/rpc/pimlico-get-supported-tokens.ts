import { z } from 'zod';
import { NoParamsSchema } from './no-params.ts';

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

/** The tokens the paymaster takes; none for one that only sponsors. */
export const pimlicoGetSupportedTokens = {
  method: 'pimlico_getSupportedTokens',
  params: PimlicoGetSupportedTokensParamsSchema,
  result: PimlicoGetSupportedTokensResultSchema,
} as const;
