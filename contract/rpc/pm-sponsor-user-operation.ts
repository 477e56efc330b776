import { z } from 'zod';
import { ChainIdParamSchema, EntryPointParamSchema } from './chain-reference.ts';
import { PaymasterContextSchema } from './paymaster-context.ts';
import { hexGasLimits, paymasterFields06, paymasterFields07, validUntil } from './paymaster-fields.ts';
import { SponsorshipModeSchema, sponsorshipContextShape } from './sponsorship-context.ts';
import { SponsoredResultSchema, TokenPaidResultSchema } from './sponsorship-result.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

export const PmSponsorUserOperationParamsSchema = z.tuple(
  [
    PartialUserOperationSchema,
    z.object(
      { mode: SponsorshipModeSchema, ...sponsorshipContextShape },
      { error: 'must be the address of an EntryPoint, or an object with a mode' },
    ),
  ],
  { error: 'must be an array of a user operation, and an EntryPoint or an object with a mode' },
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

export const PmSponsorUserOperationByEntryPointParamsSchema = z.tuple(
  [PartialUserOperationSchema, EntryPointParamSchema, PaymasterContextSchema],
  { error: 'must be an array of a user operation, an EntryPoint and a context' },
);
export type PmSponsorUserOperationByEntryPointParams = z.infer<typeof PmSponsorUserOperationByEntryPointParamsSchema>;

export const PmSponsorUserOperationByEntryPointResultSchema = z.union([
  z.object({ ...paymasterFields07, ...hexGasLimits, validUntil }),
  z.object({ ...paymasterFields06, ...hexGasLimits, validUntil }),
]);
export type PmSponsorUserOperationByEntryPointResult = z.infer<typeof PmSponsorUserOperationByEntryPointResultSchema>;

/**
 * `pm_sponsorUserOperation` in Pimlico's form, with the EntryPoint as second parameter. Always returns gas limits: those of
 * the operation if they suffice and are not far above the need, else estimated ones.
 */
export const pmSponsorUserOperationByEntryPoint = {
  method: 'pm_sponsorUserOperation',
  params: PmSponsorUserOperationByEntryPointParamsSchema,
  result: PmSponsorUserOperationByEntryPointResultSchema,
} as const;

/** Distinguishes the two forms of `pm_sponsorUserOperation` by the second parameter: a string here, an object there. */
export function namesEntryPoint(params: unknown): boolean {
  return Array.isArray(params) && typeof params[1] === 'string';
}

const RequestSchema = z.object(
  {
    chainId: ChainIdParamSchema,
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
 * The request of `sponsorUserOperation` in `@zerodev/sdk`: Pimlico's variant of `pm_sponsorUserOperation` in one object.
 * Always returns gas limits. Those of the operation are kept if they are usable. Other fields are ignored.
 */
export const zdSponsorUserOperation = {
  method: 'zd_sponsorUserOperation',
  params: ZdSponsorUserOperationParamsSchema,
  result: PmSponsorUserOperationByEntryPointResultSchema,
} as const;
