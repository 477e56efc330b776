import { z } from 'zod';
import { SponsorshipModeSchema, sponsorshipContextShape } from './sponsorship-context.ts';
import { SponsoredResultSchema, TokenPaidResultSchema } from './sponsorship-result.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

export const PmSponsorUserOperationParamsSchema = z.tuple(
  [
    PartialUserOperationSchema,
    z.object({ mode: SponsorshipModeSchema, ...sponsorshipContextShape }, { error: 'must be an object' }),
  ],
  { error: 'must be an array of a user operation and an object' },
);
export type PmSponsorUserOperationParams = z.infer<typeof PmSponsorUserOperationParamsSchema>;

export const PmSponsorUserOperationResultSchema = z.union([SponsoredResultSchema, TokenPaidResultSchema]);
export type PmSponsorUserOperationResult = z.infer<typeof PmSponsorUserOperationResultSchema>;

/** Signed paymaster data for an operation, in either mode; in token mode `tokenInfo.feeTokenAddress` names the token. */
export const pmSponsorUserOperation = {
  method: 'pm_sponsorUserOperation',
  params: PmSponsorUserOperationParamsSchema,
  result: PmSponsorUserOperationResultSchema,
} as const;
