import { z } from 'zod';
import { AddressSchema, HexSchema, QuantityTextSchema } from './wire-fields.ts';

/** What an operation of EntryPoint 0.6 takes. */
export const paymasterFields06 = { paymasterAndData: HexSchema } as const;

/** What an operation of EntryPoint 0.7 and up takes. Limits in gas. */
export const paymasterFields07 = {
  paymaster: AddressSchema,
  paymasterData: HexSchema,
  /** With `parallelSigning` (EntryPoint 0.9): what bundlers append, and the account does not sign. */
  paymasterSignature: HexSchema.optional(),
  paymasterVerificationGasLimit: QuantityTextSchema,
  paymasterPostOpGasLimit: QuantityTextSchema,
} as const;

/** Gas limits of an operation. */
export const estimatedGasLimits = z
  .object({
    callGasLimit: QuantityTextSchema,
    verificationGasLimit: QuantityTextSchema,
    preVerificationGas: QuantityTextSchema,
  })
  .partial().shape;
