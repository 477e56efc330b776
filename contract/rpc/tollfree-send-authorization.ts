import { z } from 'zod';
import { ChainIdParamSchema, EntryPointParamSchema } from './chain-reference.ts';
import { PaymasterContextSchema } from './paymaster-context.ts';
import { Eip7702AuthorizationSchema } from './user-operation.ts';

export const TollfreeSendAuthorizationParamsSchema = z.tuple(
  [Eip7702AuthorizationSchema, EntryPointParamSchema, ChainIdParamSchema, PaymasterContextSchema],
  { error: 'must be an array of an authorization, an EntryPoint, a chain id and a context' },
);
export type TollfreeSendAuthorizationParams = z.infer<typeof TollfreeSendAuthorizationParamsSchema>;

export const TollfreeSendAuthorizationResultSchema = z.string().describe('The hash of the authorization.');
export type TollfreeSendAuthorizationResult = z.infer<typeof TollfreeSendAuthorizationResultSchema>;

/**
 * Sends an EIP-7702 authorization that its account has signed: to delegate its code, or to remove its delegate (the zero
 * address). The operator's hot wallet carries it in a transaction of type 4, and the gas tank pays the cost.
 */
export const tollfreeSendAuthorization = {
  method: 'tollfree_sendAuthorization',
  params: TollfreeSendAuthorizationParamsSchema,
  result: TollfreeSendAuthorizationResultSchema,
} as const;
