import { z } from 'zod';
import { EntryPointParamSchema } from './chain-reference.ts';
import { PaymasterContextSchema } from './paymaster-context.ts';
import { hexGasLimits, paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

export const PmSponsorUserOperationByEntryPointParamsSchema = z.tuple(
  [PartialUserOperationSchema, EntryPointParamSchema, PaymasterContextSchema],
  { error: 'must be an array of a user operation, an EntryPoint and a context' },
);
export type PmSponsorUserOperationByEntryPointParams = z.infer<typeof PmSponsorUserOperationByEntryPointParamsSchema>;

export const PmSponsorUserOperationByEntryPointResultSchema = z.union([
  z.object({ ...paymasterFields07, ...hexGasLimits }),
  z.object({ ...paymasterFields06, ...hexGasLimits }),
]);
export type PmSponsorUserOperationByEntryPointResult = z.infer<typeof PmSponsorUserOperationByEntryPointResultSchema>;

/**
 * `pm_sponsorUserOperation` in Pimlico's form, with the EntryPoint as second parameter. Gas limits are always
 * returned: those of the operation where they suffice and are not far above the need, else estimated ones.
 */
export const pmSponsorUserOperationByEntryPoint = {
  method: 'pm_sponsorUserOperation',
  params: PmSponsorUserOperationByEntryPointParamsSchema,
  result: PmSponsorUserOperationByEntryPointResultSchema,
} as const;

/** The two forms of `pm_sponsorUserOperation` are told apart by the second parameter: a string here, an object there. */
export function namesEntryPoint(params: unknown): boolean {
  return Array.isArray(params) && typeof params[1] === 'string';
}
