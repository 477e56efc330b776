import { z } from 'zod';
import { chainId } from './field-forms.ts';

/** EIP-155 chain id in params; it must be that of the endpoint's address. */
export const ChainIdParamSchema = chainId.describe(
  'Hex (e.g. `0x1`), decimal text or a number. Must be the endpoint’s chain.',
);
export type ChainIdParam = z.infer<typeof ChainIdParamSchema>;

/** Address of an EntryPoint; it must be the paymaster's own. */
export const EntryPointParamSchema = z
  .string({ error: 'must be the address of an EntryPoint' })
  .describe('Address of the EntryPoint. Must be the paymaster’s EntryPoint.');
export type EntryPointParam = z.infer<typeof EntryPointParamSchema>;

/** Params of a method that needs none: absent, `null`, or anything in an array or object, which is ignored. */
export const NoParamsSchema = z
  .union([z.array(z.unknown()), z.looseObject({})], { error: 'must be an array' })
  .nullish();
export type NoParams = z.infer<typeof NoParamsSchema>;
