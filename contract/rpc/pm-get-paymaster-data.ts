import { z } from 'zod';
import { PaymasterDataParamsSchema } from './paymaster-context.ts';
import { hexGasLimits, paymasterFields06, paymasterFields07, validUntil } from './paymaster-fields.ts';

export const PmGetPaymasterDataParamsSchema = PaymasterDataParamsSchema;
export type PmGetPaymasterDataParams = z.infer<typeof PmGetPaymasterDataParamsSchema>;

/** The answer contains limits if the service estimated or raised them: the client must put them into the operation. */
const estimatedLimits = z.object(hexGasLimits).partial().shape;

export const PmGetPaymasterDataResultSchema = z.union([
  z.object({ ...paymasterFields07, ...estimatedLimits, validUntil }),
  z.object({ ...paymasterFields06, ...estimatedLimits, validUntil }),
]);
export type PmGetPaymasterDataResult = z.infer<typeof PmGetPaymasterDataResultSchema>;

/**
 * Signed paymaster fields for an operation (ERC-7677). The signature binds the gas limits of the operation, and the answer's
 * two limits of the paymaster.
 */
export const pmGetPaymasterData = {
  method: 'pm_getPaymasterData',
  params: PmGetPaymasterDataParamsSchema,
  result: PmGetPaymasterDataResultSchema,
} as const;

export const PmGetPaymasterStubDataParamsSchema = PaymasterDataParamsSchema;
export type PmGetPaymasterStubDataParams = z.infer<typeof PmGetPaymasterStubDataParamsSchema>;

const sponsor = z
  .object({ name: z.string(), icon: z.string().optional().describe('A data URI.') })
  .optional()
  .describe('Name of the sponsor, shown to the user. Absent in token mode.');

const bindingUntil = validUntil
  .optional()
  .describe(
    'Unix seconds until which the answer binds: with `paymasterSignature`, or if it is signed already. Absent otherwise.',
  );

export const PmGetPaymasterStubDataResultSchema = z.union([
  z.object({ sponsor, ...paymasterFields07, validUntil: bindingUntil }),
  z.object({ sponsor, ...paymasterFields06, validUntil: bindingUntil }),
]);
export type PmGetPaymasterStubDataResult = z.infer<typeof PmGetPaymasterStubDataResultSchema>;

/**
 * Paymaster fields to estimate an operation with (ERC-7677): as long as the final ones, with no more zero bytes, and not
 * valid for payment. Refuses what can already be refused; calls no webhook and holds nothing.
 */
export const pmGetPaymasterStubData = {
  method: 'pm_getPaymasterStubData',
  params: PmGetPaymasterStubDataParamsSchema,
  result: PmGetPaymasterStubDataResultSchema,
} as const;
