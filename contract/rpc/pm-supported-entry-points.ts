import { z } from 'zod';
import { NoParamsSchema } from './chain-reference.ts';

export const PmSupportedEntryPointsParamsSchema = NoParamsSchema;
export type PmSupportedEntryPointsParams = z.infer<typeof PmSupportedEntryPointsParamsSchema>;

export const PmSupportedEntryPointsResultSchema = z.array(z.string().describe('Address.'));
export type PmSupportedEntryPointsResult = z.infer<typeof PmSupportedEntryPointsResultSchema>;

/** The EntryPoints the paymaster works with. */
export const pmSupportedEntryPoints = {
  method: 'pm_supportedEntryPoints',
  params: PmSupportedEntryPointsParamsSchema,
  result: PmSupportedEntryPointsResultSchema,
} as const;
