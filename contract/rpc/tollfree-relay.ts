import { z } from 'zod';
import { PaymasterDataParamsSchema } from './paymaster-context.ts';

export const TollfreePrepareRelayParamsSchema = PaymasterDataParamsSchema;
export type TollfreePrepareRelayParams = z.infer<typeof TollfreePrepareRelayParamsSchema>;

const hexQuantity = z.string().regex(/^0x[0-9a-f]+$/);

export const TollfreePrepareRelayResultSchema = z.object({
  maxFeePerGas: z.literal('0x0'),
  maxPriorityFeePerGas: z.literal('0x0'),
  callGasLimit: hexQuantity,
  verificationGasLimit: hexQuantity,
  preVerificationGas: hexQuantity,
});
export type TollfreePrepareRelayResult = z.infer<typeof TollfreePrepareRelayResultSchema>;

/**
 * What the account must sign for an operation to be relayed: zero fees, and accepted gas limits. A refusal means that it
 * would not be relayed now.
 */
export const tollfreePrepareRelay = {
  method: 'tollfree_prepareRelay',
  params: TollfreePrepareRelayParamsSchema,
  result: TollfreePrepareRelayResultSchema,
} as const;

export const TollfreeRelayUserOperationParamsSchema = PaymasterDataParamsSchema;
export type TollfreeRelayUserOperationParams = z.infer<typeof TollfreeRelayUserOperationParamsSchema>;

export const TollfreeRelayUserOperationResultSchema = z.string().describe('The hash of the operation (userOpHash).');
export type TollfreeRelayUserOperationResult = z.infer<typeof TollfreeRelayUserOperationResultSchema>;

/**
 * Relays an operation that its account has signed, with both fees 0 and without paymaster fields: the gas tank pays what the
 * operator's bundler pays for it.
 */
export const tollfreeRelayUserOperation = {
  method: 'tollfree_relayUserOperation',
  params: TollfreeRelayUserOperationParamsSchema,
  result: TollfreeRelayUserOperationResultSchema,
} as const;
