import { z } from 'zod';
import { EntryPointParamSchema } from '../chain-reference.ts';
import { BundledUserOperationSchema } from '../user-operation.ts';

/** Params of a bundler's methods about an operation. */
export const BundledOperationParamsSchema = z.tuple([BundledUserOperationSchema, EntryPointParamSchema], {
  error: 'must be an array of a user operation and an EntryPoint',
});
export type BundledOperationParams = z.infer<typeof BundledOperationParamsSchema>;

/** Params of those that look an operation up. */
export const OperationHashParamsSchema = z.tuple(
  [z.string({ error: 'must be a userOpHash' }).describe('The userOpHash of the operation.')],
  { error: 'must be an array of a userOpHash' },
);
export type OperationHashParams = z.infer<typeof OperationHashParamsSchema>;
