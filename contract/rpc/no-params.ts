import { z } from 'zod';

/** Params of a method that needs none: absent, `null`, or anything in an array or object, which is ignored. */
export const NoParamsSchema = z
  .union([z.array(z.unknown()), z.looseObject({})], { error: 'must be an array' })
  .nullish();
export type NoParams = z.infer<typeof NoParamsSchema>;
