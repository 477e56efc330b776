import { z } from 'zod';
import { PaymasterDataParamsSchema } from './paymaster-data-params.ts';
import { hexGasLimits, paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';

export const PmGetPaymasterDataParamsSchema = PaymasterDataParamsSchema;
export type PmGetPaymasterDataParams = z.infer<typeof PmGetPaymasterDataParamsSchema>;

/** Limits are in the answer when the service estimated or raised them: then they belong in the operation. */
const estimatedLimits = z.object(hexGasLimits).partial().shape;

export const PmGetPaymasterDataResultSchema = z.union([
  z.object({ ...paymasterFields07, ...estimatedLimits }),
  z.object({ ...paymasterFields06, ...estimatedLimits }),
]);
export type PmGetPaymasterDataResult = z.infer<typeof PmGetPaymasterDataResultSchema>;

/**
 * Signed paymaster fields for an operation (ERC-7677). The signature binds the gas limits of the operation, and the two
 * of the paymaster as they are in the answer.
 */
export const pmGetPaymasterData = {
  method: 'pm_getPaymasterData',
  params: PmGetPaymasterDataParamsSchema,
  result: PmGetPaymasterDataResultSchema,
} as const;
