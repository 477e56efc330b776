import { z } from 'zod';
import { parseJsonPath } from '../../core/quotes/json-path.ts';
import { addressSchema, refusal } from './value-schemas.ts';

/** Highest configurable age of a price: a week, in seconds. */
const maxAge = 604_800;

const ageSchema = (fallback: number) => z.int().min(1).max(maxAge).default(fallback);

const usdSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'must be a decimal number as text, like "1.00"')
  .refine((text) => /[1-9]/.test(text), 'must be more than zero');

const pathSchema = z
  .string()
  .refine((path) => parseJsonPath(path) !== undefined, 'must be keys and indexes, like data.prices[0].usd');

const fixedSchema = z.strictObject({ kind: z.literal('fixed'), usd: usdSchema });

const chainlinkSchema = z.strictObject({
  kind: z.literal('chainlink'),
  aggregator: addressSchema,
  maxAgeSeconds: ageSchema(3_600),
});

const httpSchema = z
  .strictObject({
    kind: z.literal('http'),
    url: z.url({ protocol: /^https?$/, error: 'must be an https URL' }),
    path: pathSchema,
    timestampPath: pathSchema.exactOptional(),
    maxAgeSeconds: ageSchema(300),
    allowHttp: z.boolean().default(false),
  })
  .refine(({ url, allowHttp }) => allowHttp || new URL(url).protocol === 'https:', {
    path: ['url'],
    error: 'must be an https URL, unless allowHttp is true',
  });

const uniswapSchema = z.strictObject({
  kind: z.literal('uniswap-v3'),
  pool: addressSchema,
  quoteToken: addressSchema,
  quotePrice: z.discriminatedUnion('kind', [fixedSchema, chainlinkSchema, httpSchema]),
  windowSeconds: z.int().min(60).max(86_400).default(1_800),
  maxAgeSeconds: ageSchema(300),
});

export const priceSourceSchema = z.discriminatedUnion(
  'kind',
  [fixedSchema, chainlinkSchema, httpSchema, uniswapSchema],
  { error: ({ input }) => (typeof input === 'string' ? `is "${input}", which is no name in priceSources` : undefined) },
);

const alone = 'a single source is accepted only with "minimumSources": 1';

export const priceSchema = z
  .strictObject({
    sources: z
      .array(priceSourceSchema)
      .min(1, 'must have at least one source')
      .max(8)
      .refine(
        (sources) => new Set(sources.map((source) => JSON.stringify(source))).size === sources.length,
        'must not have the same source twice',
      ),
    minimumSources: z.int().min(1).max(8).default(2),
    maximumDeviationBasisPoints: z.int().min(0).max(5_000).default(200),
  })
  .refine(({ sources, minimumSources }) => !Array.isArray(sources) || sources.length >= minimumSources, {
    ...refusal(`must have at least as many sources as minimumSources, which is 2 by default; ${alone}`),
    path: ['sources'],
  });
