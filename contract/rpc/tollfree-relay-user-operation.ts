import { z } from 'zod';
import { PaymasterDataParamsSchema } from './paymaster-data-params.ts';

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
