import { getAddress, isAddress, zeroAddress } from 'viem';
import { z } from 'zod';
import { paymasterContractFamilies } from '../../../core/paymaster-contracts/families.ts';
import { weiAmountSchema } from './wei-amount.ts';

export const maxNodeUrls = 10;

const addressSchema = z
  .string()
  .refine(
    (text) => isAddress(text, { strict: true }) && text !== zeroAddress,
    'must be an address (0x and 40 hex digits)',
  )
  .transform((text) => getAddress(text));

export const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const usdSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'must be a decimal number as text, like "1.00"')
  .refine((text) => /[1-9]/.test(text), 'must be more than zero');

const priceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), usd: usdSchema }),
  z.strictObject({
    kind: z.literal('chainlink'),
    aggregator: addressSchema,
    maxAgeSeconds: z.int().min(1).max(604_800).default(3_600),
  }),
]);

const tokenSchema = z.strictObject({
  symbol: z.string().min(1).max(32),
  address: addressSchema,
  decimals: z.int().min(0).max(36),
  logoUrl: z.union([z.literal(''), httpUrlSchema]).default(''),
  premiumBasisPoints: z.int().min(0).max(100_000).default(1_000),
  price: priceSchema,
});

const familyNames = [...paymasterContractFamilies.keys()];

const paymasterContractSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must be a version like 1.0.0'),
  family: z.string().refine((name) => familyNames.includes(name), `must be one of: ${familyNames.join(', ')}`),
  address: addressSchema,
  treasury: addressSchema,
});

const signerSchema = z.strictObject({
  keystoreFile: z.string().min(1, 'must be the path of a file'),
  passwordFile: z.string().min(1, 'must be the path of a file').optional(),
});

/** One chain of the configuration file. */
export const chainSchema = z.strictObject({
  chainId: z.int().min(1),
  name: z.string().min(1).max(64),
  nodeUrls: z.array(httpUrlSchema).min(1, 'must have at least one URL').max(maxNodeUrls),
  bundlerUrl: httpUrlSchema.optional(),
  callTimeoutMs: z.int().min(100).max(60_000).default(3_000),
  entryPoints: z
    .strictObject({
      '0.6': addressSchema.optional(),
      '0.7': addressSchema.optional(),
      '0.8': addressSchema.optional(),
    })
    .default({}),
  paymasterContracts: z
    .array(paymasterContractSchema)
    .min(1, 'must have at least one paymaster contract')
    .max(100)
    .refine(
      (contracts) => new Set(contracts.map(({ version }) => version)).size === contracts.length,
      'must not have the same version twice',
    ),
  tokens: z
    .array(tokenSchema)
    .max(100)
    .refine(
      (tokens) => new Set(tokens.map(({ address }) => address)).size === tokens.length,
      'must not have the same token twice',
    )
    .default([]),
  nativePrice: priceSchema,
  signer: signerSchema,
  confirmations: z.int().min(0).max(10_000).default(10),
  pollIntervalMs: z.int().min(50).max(600_000).default(4_000),
  startBlock: z.int().min(0).default(0),
  maxFeePerGasCeiling: weiAmountSchema.optional(),
  maxCostPerOperation: weiAmountSchema.optional(),
});

/** A valid chain of the configuration file, with defaults. */
export type ChainSection = z.output<typeof chainSchema>;
