import type { z } from 'zod';
import { EthChainIdResultSchema } from './eth-chain-id.ts';
import { NoParamsSchema } from './no-params.ts';

export const PmChainIdParamsSchema = NoParamsSchema;
export type PmChainIdParams = z.infer<typeof PmChainIdParamsSchema>;

export const PmChainIdResultSchema = EthChainIdResultSchema;
export type PmChainIdResult = z.infer<typeof PmChainIdResultSchema>;

/** The chain of the address, as abstractionkit asks for it. */
export const pmChainId = {
  method: 'pm_chainId',
  params: PmChainIdParamsSchema,
  result: PmChainIdResultSchema,
} as const;
