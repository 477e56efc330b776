import { z } from 'zod';
import { NoParamsSchema } from './chain-reference.ts';

export const EthChainIdParamsSchema = NoParamsSchema;
export type EthChainIdParams = z.infer<typeof EthChainIdParamsSchema>;

export const EthChainIdResultSchema = z.string().describe('EIP-155 chain id in hex, e.g. `0x1`.');
export type EthChainIdResult = z.infer<typeof EthChainIdResultSchema>;

/** The chain of the address: libraries that treat the endpoint as a node (ethers) ask for it first. */
export const ethChainId = {
  method: 'eth_chainId',
  params: EthChainIdParamsSchema,
  result: EthChainIdResultSchema,
} as const;

export const PmChainIdParamsSchema = NoParamsSchema;
export type PmChainIdParams = z.infer<typeof PmChainIdParamsSchema>;

export const PmChainIdResultSchema = EthChainIdResultSchema;
export type PmChainIdResult = z.infer<typeof PmChainIdResultSchema>;

/** The chain of the address, in abstractionkit's form. */
export const pmChainId = {
  method: 'pm_chainId',
  params: PmChainIdParamsSchema,
  result: PmChainIdResultSchema,
} as const;
