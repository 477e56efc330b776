import { parseUnits } from 'viem';
import { z } from 'zod';
import { addressSchema, refusal } from './value-schemas.ts';

const maxContextBytes = 4_096;

/** Decimal text, in millionths of a USD: JSON numbers are doubles. */
const usdAmountSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount in USD as text, like "25" or "12.50"')
  .transform((text) => parseUnits(text, 6));

/** A second paymaster (ERC-7677), used while ours cannot sign. Its URL file is read later. */
export const upstreamSchema = z
  .strictObject({
    urlFile: z.string().min(1, 'must be the path of a file').optional(),
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    context: z
      .record(z.string(), z.unknown())
      .refine(
        (context) => JSON.stringify(context).length <= maxContextBytes,
        `must have at most ${maxContextBytes} characters as JSON`,
      )
      .default({}),
    accounts: z.union(
      [z.literal('all'), z.array(z.string().min(1).max(64)).min(1).max(1_000)],
      'must be "all" or a list of account ids: it says whose operations the operator pays for upstream',
    ),
    paymasters: z.array(addressSchema).min(1, 'must have at least one paymaster contract').max(50),
    budget: z.strictObject({
      usdPerDay: usdAmountSchema,
      usdPerMonth: usdAmountSchema,
      maxSharePerClient: z.number().min(0.001).max(1).default(0.25),
    }),
    maxPaymasterGas: z.int().min(10_000).max(2_000_000).default(200_000),
    timeoutMs: z.int().min(100).max(10_000).default(3_000),
  })
  .refine(
    ({ url, urlFile }) => (url === undefined) !== (urlFile === undefined),
    refusal('must have either urlFile, a file with the URL in its first line, or url'),
  );

export type UpstreamSection = z.output<typeof upstreamSchema>;
