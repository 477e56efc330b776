import { z } from 'zod';
import { EntryPointParamSchema } from './chain-reference.ts';
import { PmSponsorUserOperationByEntryPointResultSchema } from './pm-sponsor-user-operation-by-entry-point.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

const RequestSchema = z.object(
  {
    chainId: z
      .int({ error: 'must be a chain id as a number' })
      .positive({ error: 'must be a chain id as a number' })
      .describe('Must be the endpoint’s chain.'),
    userOp: PartialUserOperationSchema,
    entryPointAddress: EntryPointParamSchema,
    gasTokenData: z
      .object({ tokenAddress: z.string({ error: 'must be a string' }) }, { error: 'must be an object' })
      .nullish()
      .describe('`tokenAddress` is the token that pays. Absent: the application pays.'),
  },
  { error: 'must be an object' },
);

export const ZdSponsorUserOperationParamsSchema = z.tuple([RequestSchema], {
  error: 'must be an array of one request',
});
export type ZdSponsorUserOperationParams = z.infer<typeof ZdSponsorUserOperationParamsSchema>;

/**
 * What `sponsorUserOperation` of `@zerodev/sdk` sends: Pimlico's variant of `pm_sponsorUserOperation` in one object.
 * Gas limits are always returned. Those of the operation are kept where they are usable. Other fields are ignored.
 */
export const zdSponsorUserOperation = {
  method: 'zd_sponsorUserOperation',
  params: ZdSponsorUserOperationParamsSchema,
  result: PmSponsorUserOperationByEntryPointResultSchema,
} as const;
