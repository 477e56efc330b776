import { z } from 'zod';
import { ChainIdParamSchema, EntryPointParamSchema } from './chain-reference.ts';
import { PaymasterContextSchema } from './paymaster-context.ts';
import { PartialUserOperationSchema } from './user-operation.ts';

/** Params of both ERC-7677 methods. Gas limits that are not known yet may be 0. */
export const PaymasterDataParamsSchema = z.tuple(
  [PartialUserOperationSchema, EntryPointParamSchema, ChainIdParamSchema, PaymasterContextSchema],
  { error: 'must be an array of a user operation, an EntryPoint, a chain id and a context' },
);
export type PaymasterDataParams = z.infer<typeof PaymasterDataParamsSchema>;
