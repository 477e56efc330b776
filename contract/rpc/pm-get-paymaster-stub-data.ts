import { z } from 'zod';
import { PaymasterDataParamsSchema } from './paymaster-data-params.ts';
import { paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';

export const PmGetPaymasterStubDataParamsSchema = PaymasterDataParamsSchema;
export type PmGetPaymasterStubDataParams = z.infer<typeof PmGetPaymasterStubDataParamsSchema>;

const sponsor = z
  .object({ name: z.string(), icon: z.string().optional().describe('A data URI.') })
  .optional()
  .describe('Name of the sponsor, shown to the user. Absent in token mode.');

export const PmGetPaymasterStubDataResultSchema = z.union([
  z.object({ sponsor, ...paymasterFields07 }),
  z.object({ sponsor, ...paymasterFields06 }),
]);
export type PmGetPaymasterStubDataResult = z.infer<typeof PmGetPaymasterStubDataResultSchema>;

/**
 * Paymaster fields to estimate an operation with (ERC-7677): as long as the final ones, with no more zero bytes, and not
 * good for payment. What can be refused already is refused here; webhooks are not asked, nothing is held.
 */
export const pmGetPaymasterStubData = {
  method: 'pm_getPaymasterStubData',
  params: PmGetPaymasterStubDataParamsSchema,
  result: PmGetPaymasterStubDataResultSchema,
} as const;
