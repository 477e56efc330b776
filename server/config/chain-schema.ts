import { maxTokens } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { z } from 'zod';
import {
  bundlerExposures,
  defaultTransactionGasCap,
  feeModelNames,
  feeModelOf,
  hasDollarCoin,
  relayKinds,
} from '../../core/domain/chain-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { eip7702MarkerForms } from '../../core/domain/user-operation.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { defaultOverEstimates } from '../../core/gas/compare-limits.ts';
import { defaultGasPriceBounds } from '../../core/gas/fees/gas-price-bounds.ts';
import { chainDefaults, isWellKnown } from './chain-defaults.ts';
import { accountsSchema, hotWalletSchema, type VendorSection, vendorSchema } from './chain-part-schemas.ts';
import { sequencerGraceSeconds } from './fixed-settings.ts';
import { priceSchema } from './price-schema.ts';
import { signerSchema } from './signer-schema.ts';
import { addressSchema, areAllDifferent, refusal, weiAmountSchema } from './value-schemas.ts';

const maxNodeUrls = 10;
const maxBundlers = 50;

export const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Position of a variable in a contract's storage, as a number or, for a namespace of ERC-7201, as hex. */
const storageSlotSchema = z
  .union(
    [z.int().min(0), z.string().regex(/^0x[0-9a-f]{1,64}$/i)],
    'must be a storage slot: a whole number, or hex of at most 32 bytes',
  )
  .transform(BigInt);

const tokenSchema = z.strictObject({
  symbol: z.string().min(1).max(32),
  address: addressSchema,
  decimals: z.int().min(0).max(36),
  logoUrl: z.union([z.literal(''), httpUrlSchema]).default(''),
  premiumBasisPoints: z.int().min(0).max(100_000).default(1_000),
  price: priceSchema,
  balanceSlot: storageSlotSchema.exactOptional(),
  allowanceSlot: storageSlotSchema.exactOptional(),
});

const familyNames = [...paymasterContractFamilies.keys()];

const paymasterContractSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'must be a version like 1.0.0')
    .default('1.0.0'),
  family: z.string().refine((name) => familyNames.includes(name), `must be one of: ${familyNames.join(', ')}`),
  address: addressSchema,
  tokenRecipient: addressSchema,
  premiumBasisPoints: z.int().min(0).max(100_000).default(0),
  priceMarkup: z.int().min(1).max(2_000_000).default(1_000_000),
});

/** Removing a ceiling requires an explicit word, so that no one forgets it. */
const ceilingSchema = z.string().transform((text, context) => {
  if (text === 'none') return text;
  const amount = weiAmountSchema.safeParse(text);
  if (amount.success) return amount.data;
  context.addIssue({
    code: 'custom',
    message: 'must be an amount with its unit, like "50 gwei" or "0.01 ether", or "none"',
    params: { id: 'amount' },
  });
  return z.NEVER;
});

const multipleSchema = z.number().min(1).max(100);

const gasPriceSchema = z.union(
  [
    z.literal('none'),
    z.strictObject({
      maxBaseFeeMultiple: multipleSchema.default(defaultGasPriceBounds.maxBaseFeeMultiple),
      maxTipMultiple: multipleSchema.default(defaultGasPriceBounds.maxTipMultiple),
      minTip: weiAmountSchema.prefault(`${defaultGasPriceBounds.minTip} wei`),
    }),
  ],
  'must be "none" or an object with maxBaseFeeMultiple and maxTipMultiple (1 to 100) and minTip (like "0.1 gwei")',
);

const maxExecutors = 32;

const relaySchema = z.strictObject({
  kind: z.enum(relayKinds, `must be one of: ${relayKinds.join(', ')}`),
  executors: z
    .array(addressSchema)
    .min(1, 'must have at least one address')
    .max(maxExecutors)
    .refine((addresses) => new Set(addresses.map((one) => String(one).toLowerCase())).size === addresses.length, {
      error: 'must not have the same address twice',
    }),
  entryPoint: z.enum(entryPointVersions).optional(),
  url: httpUrlSchema.optional(),
});

/** Most bundlers of a chain: they share the time that one request may wait. */
const maxBundlerUrls = 3;

/** One URL, or several in the order in which they are asked. */
const bundlerUrlsSchema = z
  .union(
    [
      httpUrlSchema.transform((url) => [url]),
      z.array(httpUrlSchema).min(1, 'must have at least one URL').max(maxBundlerUrls),
    ],
    `must be an http or https URL, or a list of at most ${maxBundlerUrls}`,
  )
  .readonly();

const bundlerSchema = z.strictObject({
  url: bundlerUrlsSchema,
  /** Whether estimates ask it for gas limits too. */
  asksForLimits: z.boolean().default(true),
  expose: z.enum(bundlerExposures, `must be one of: ${bundlerExposures.join(', ')}`).default('NONE'),
  relay: relaySchema.optional(),
});

const explorerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sourcify'), url: httpUrlSchema.default('https://sourcify.dev/server') }),
  z.strictObject({
    kind: z.literal('etherscan'),
    url: httpUrlSchema.default('https://api.etherscan.io/v2/api'),
    apiKeyFile: z.string().min(1, 'must be the path of a file'),
  }),
]);

/** Public, and extended by `/tx/…` and `/address/…`. */
const explorerPageSchema = httpUrlSchema.refine(
  (url) => !/[?#@]/.test(url),
  'must be the address of an explorer’s pages, without user, query or fragment',
);

/** One chain of the configuration file. */
export const chainSchema = z
  .strictObject({
    chainId: z.int().min(1),
    name: z.string().min(1).max(64).optional(),
    nodeUrls: z.array(httpUrlSchema).min(1, 'must have at least one URL').max(maxNodeUrls),
    bundler: bundlerSchema.optional(),
    bundlerUrl: bundlerUrlsSchema.optional(),
    explorer: explorerSchema.optional(),
    explorerPageUrl: explorerPageSchema.optional(),
    allowedBundlers: z.array(addressSchema).min(1, 'must have at least one address').max(maxBundlers).optional(),
    eip7702Marker: z.enum(eip7702MarkerForms).default('as-sent'),
    callTimeoutMs: z.int().min(100).max(60_000).default(3_000),
    dataFee: z
      .enum(feeModelNames, `must be one of: ${feeModelNames.join(', ')}. Leave it out for a known chain`)
      .optional(),
    maxGasOverEstimate: z.int().min(10_000).max(1_000_000).default(defaultOverEstimates.limits),
    maxPreVerificationGasOverEstimate: z
      .int()
      .min(10_000)
      .max(1_000_000)
      .default(defaultOverEstimates.preVerificationGas),
    transactionGasCap: z.int().min(1_000_000).max(1_000_000_000).default(defaultTransactionGasCap),
    allowRevertingOperations: z.boolean().default(false),
    entryPoints: z
      .strictObject(
        // Every version, which the type of `fromEntries` cannot express.
        Object.fromEntries(entryPointVersions.map((version) => [version, addressSchema.optional()])) as Record<
          EntryPointVersion,
          z.ZodOptional<typeof addressSchema>
        >,
      )
      .default({}),
    paymasterContracts: z
      .array(paymasterContractSchema)
      .max(100)
      .refine(
        (contracts) => areAllDifferent(contracts, 'version'),
        refusal('must not have the same version twice', { id: 'twice', key: 'version' }),
      ),
    tokens: z
      .array(tokenSchema)
      .max(maxTokens)
      .refine(
        (tokens) => areAllDifferent(tokens, 'address'),
        refusal('must not have the same token twice', { id: 'twice', key: 'address' }),
      )
      .default([]),
    nativePrice: priceSchema.optional(),
    sequencerUptime: z
      .strictObject({ feed: addressSchema })
      .transform(({ feed }) => ({ feed, graceSeconds: sequencerGraceSeconds }))
      .optional(),
    signer: signerSchema.optional(),
    signers: z.array(signerSchema).min(1, 'must have at least one signer').max(5).optional(),
    confirmations: z.int().min(0).max(10_000).default(10),
    pollIntervalMs: z.int().min(50).max(600_000).default(4_000),
    maxClockDifferenceSeconds: z.int().min(30).max(86_400).default(300),
    startBlock: z.int().min(0).default(0),
    accounts: accountsSchema.optional(),
    gasPrice: gasPriceSchema.prefault({}),
    maxFeePerGasCeiling: ceilingSchema.optional(),
    maxCostPerOperation: ceilingSchema.optional(),
    vendor: vendorSchema.optional(),
    hotWallet: hotWalletSchema.optional(),
  })
  .refine(
    ({ signer, signers }) => (signer === undefined) !== (signers === undefined),
    refusal('must have either signer or signers, which lists the newest first'),
  )
  .refine(({ chainId, name }) => name !== undefined || isWellKnown(chainId), {
    ...refusal('is missing'),
    path: ['name'],
  })
  .refine(
    ({ bundler, bundlerUrl }) => bundler === undefined || bundlerUrl === undefined,
    refusal('must not have both bundler and bundlerUrl, which is short for a bundler with a url alone'),
  )
  .refine(
    ({ chainId, maxFeePerGasCeiling, maxCostPerOperation }) =>
      isWellKnown(chainId) || (maxFeePerGasCeiling !== undefined && maxCostPerOperation !== undefined),
    refusal(
      'must have maxFeePerGasCeiling and maxCostPerOperation, the highest gas price and the highest cost of one ' +
        'operation that are signed: amounts like "200 gwei" and "0.05 ether", or "none" where no ceiling is wanted',
    ),
  )
  .refine(({ vendor, paymasterContracts }) => !namesOwnContract(vendor, paymasterContracts), {
    ...refusal('must not name a paymaster contract of this chain’s own: the vendor is asked while that is out'),
    path: ['vendor', 'paymasters'],
  })
  .refine(({ hotWallet, bundler }) => hotWallet?.executors === undefined || bundler?.relay !== undefined, {
    ...refusal('is set, but the chain has no bundler.relay whose executors could be topped up'),
    path: ['hotWallet', 'executors'],
  })
  .refine(({ chainId, nativePrice }) => nativePrice !== undefined || hasDollarCoin(chainId) || isWellKnown(chainId), {
    ...refusal('is missing. Set it to the sources of the native coin’s USD price'),
    path: ['nativePrice'],
  })
  .transform(({ dataFee, bundlerUrl, ...chain }) => ({
    ...chain,
    bundler: bundlerUrl === undefined ? chain.bundler : bundlerSchema.parse({ url: [...bundlerUrl] }),
    ...omitAbsent({ dataFee: feeModelOf({ chainId: chain.chainId, dataFee }) }),
    ...chainDefaults(chain),
  }));

function namesOwnContract(
  vendor: VendorSection | undefined,
  contracts: readonly { readonly address: string }[],
): boolean {
  if (!Array.isArray(vendor?.paymasters) || !Array.isArray(contracts)) return false;
  const own = new Set(contracts.map((contract) => contract?.address));
  return vendor.paymasters.some((address) => own.has(address));
}

/** A valid chain of the configuration file, with defaults. */
export type ChainSection = z.output<typeof chainSchema>;
