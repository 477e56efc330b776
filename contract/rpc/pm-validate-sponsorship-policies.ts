import { z } from 'zod';
import { afterType } from '../fields/form.ts';
import { maxValidatedPolicies } from '../limits.ts';
import { EntryPointParamSchema } from './chain-reference.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

const policyIds = z
  .array(z.string({ error: 'must be a string' }), { error: 'must be an array' })
  .check(afterType(z.maxLength(maxValidatedPolicies, { error: `must have at most ${maxValidatedPolicies} elements` })))
  .describe(
    'Ids of policies of the paymaster, or of another provider if the default policy has `ignoreForeignPolicyIds`.',
  );

export const PmValidateSponsorshipPoliciesParamsSchema = z.tuple(
  [PartialUserOperationSchema, EntryPointParamSchema, policyIds],
  { error: 'must be an array of a user operation, an EntryPoint and ids of policies' },
);
export type PmValidateSponsorshipPoliciesParams = z.infer<typeof PmValidateSponsorshipPoliciesParamsSchema>;

export const PmValidateSponsorshipPoliciesResultSchema = z.array(
  z.object({
    sponsorshipPolicyId: z.string(),
    data: z.object({
      name: z.string().nullable(),
      author: z.string().nullable().describe('The policy’s author, or the paymaster’s name if it has none.'),
      icon: z.string().nullable().describe('A data URI.'),
      description: z.string().nullable(),
    }),
  }),
);
export type PmValidateSponsorshipPoliciesResult = z.infer<typeof PmValidateSponsorshipPoliciesResultSchema>;

/**
 * Which of some policies would sponsor an operation now, in Pimlico's form. Gas limits are estimated; webhooks are not
 * called and assumed to approve; nothing is held, signed or recorded.
 */
export const pmValidateSponsorshipPolicies = {
  method: 'pm_validateSponsorshipPolicies',
  params: PmValidateSponsorshipPoliciesParamsSchema,
  result: PmValidateSponsorshipPoliciesResultSchema,
} as const;
