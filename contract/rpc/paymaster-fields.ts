import { z } from 'zod';

const hex = z.string().describe('Hex.');

/** The form of EntryPoint 0.6. */
export const paymasterFields06 = { paymasterAndData: hex } as const;

/** The form of EntryPoint 0.7 and up. */
export const paymasterFields07 = {
  paymaster: z.string().describe('Address of the paymaster contract.'),
  paymasterData: hex,
  paymasterSignature: hex
    .optional()
    .describe(
      'Hex. For EntryPoint 0.9 with `parallelSigning`: the part that bundlers append and the account does not sign.',
    ),
  paymasterVerificationGasLimit: hex,
  paymasterPostOpGasLimit: hex,
} as const;

/** The end of a signature. A JSON number, unlike the fields that belong into the operation. */
export const validUntil = z
  .int()
  .describe(
    'Unix seconds until which the signature is valid. 281474976710655 if it has no end. Not a field of the operation.',
  );

/** Gas limits of an operation, in hex. */
export const hexGasLimits = { callGasLimit: hex, verificationGasLimit: hex, preVerificationGas: hex } as const;
