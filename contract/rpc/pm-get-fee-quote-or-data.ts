import { z } from 'zod';
import { SponsorshipModeSchema, sponsorshipContextShape } from './sponsorship-context.ts';
import { SponsoredResultSchema, TokenQuotesResultSchema } from './sponsorship-result.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

export const PmGetFeeQuoteOrDataParamsSchema = z.tuple(
  [
    PartialUserOperationSchema,
    z.object({ mode: SponsorshipModeSchema.nullish(), ...sponsorshipContextShape }, { error: 'must be an object' }),
  ],
  { error: 'must be an array of a user operation and an object' },
);
export type PmGetFeeQuoteOrDataParams = z.infer<typeof PmGetFeeQuoteOrDataParamsSchema>;

export const PmGetFeeQuoteOrDataResultSchema = z.union([SponsoredResultSchema, TokenQuotesResultSchema]);
export type PmGetFeeQuoteOrDataResult = z.infer<typeof PmGetFeeQuoteOrDataResultSchema>;

/**
 * Sponsorship data or token fee quotes for an operation (interface 4.5). Without `mode`: sponsorship if the policies
 * allow it, else quotes.
 */
export const pmGetFeeQuoteOrData = {
  method: 'pm_getFeeQuoteOrData',
  params: PmGetFeeQuoteOrDataParamsSchema,
  result: PmGetFeeQuoteOrDataResultSchema,
} as const;
