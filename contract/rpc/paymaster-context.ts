import { z } from 'zod';
import { ChainIdParamSchema, EntryPointParamSchema } from './chain-reference.ts';
import { SponsorshipModeSchema, sponsorshipContextShape } from './sponsorship-context.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

/** Two names for one field must not carry different values. */
function namesOnePolicy(context: {
  readonly policyId?: string | null | undefined;
  readonly sponsorshipPolicyId?: string | null | undefined;
}): boolean {
  const named = [context.policyId, context.sponsorshipPolicyId].filter((id) => id != null && id !== '');
  return new Set(named).size <= 1;
}

/**
 * `context` of the ERC-7677 methods and of Pimlico's: everything is optional, `null` counts as absent.
 *
 * - the interface's own object (`params[1]` of `pm_sponsorUserOperation`). A missing `mode` means token mode if
 *   `tokenInfo.feeTokenAddress` names a token, else sponsorship; a missing account kind is detected from the calls;
 * - `{ token }`: token mode;
 * - `{ sponsorshipPolicyId, validForSeconds }` and `{ policyId }`: sponsorship by that policy of the paymaster.
 */
export const PaymasterContextSchema = z
  .object(
    {
      mode: SponsorshipModeSchema.nullish(),
      ...sponsorshipContextShape,
      calculateGasLimits: z
        .boolean({ error: 'must be a boolean value' })
        .nullish()
        .describe(
          'Gas limits that are missing or all 0 are estimated and returned; with false they are refused. With true, a `verificationGasLimit` that cannot suffice is raised and returned too, and the client has to send the operation with it. Other limits are signed as sent or refused.',
        ),
      sponsorshipInfo: sponsorshipContextShape.sponsorshipInfo.describe(
        'Optional here. Without `smartAccountInfo` the type of account is detected from the calls.',
      ),
      tokenInfo: sponsorshipContextShape.tokenInfo.describe(
        '`feeTokenAddress` is mandatory for ERC20 without `token`.',
      ),
      token: z.string({ error: 'must be a string' }).nullish().describe('Address of the token that pays.'),
      sponsorshipPolicyId: z.string({ error: 'must be a string' }).nullish().describe('Another name for `policyId`.'),
      validForSeconds: z
        .number({ error: 'must be a number' })
        .nullish()
        .describe('Requested lifetime in seconds; another name for `expiryDuration`, which counts if both are sent.'),
      parallelSigning: z
        .boolean({ error: 'must be a boolean value' })
        .nullish()
        .describe(
          'True, with EntryPoint 0.9: the stub’s `paymasterData` is final and the signature comes separately as `paymasterSignature`, so that the account can sign in parallel. Ignored by other contracts.',
        ),
    },
    { error: 'must be an object' },
  )
  .refine(namesOnePolicy, { path: ['sponsorshipPolicyId'], error: 'must be the same as policyId' })
  .nullish();
export type PaymasterContext = z.infer<typeof PaymasterContextSchema>;

/** Params of both ERC-7677 methods. Gas limits that are not known yet may be 0. */
export const PaymasterDataParamsSchema = z.tuple(
  [PartialUserOperationSchema, EntryPointParamSchema, ChainIdParamSchema, PaymasterContextSchema],
  { error: 'must be an array of a user operation, an EntryPoint, a chain id and a context' },
);
export type PaymasterDataParams = z.infer<typeof PaymasterDataParamsSchema>;
