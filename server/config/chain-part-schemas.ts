import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, isHex, parseUnits } from 'viem';
import { z } from 'zod';
import type { KnownAccountsConfig } from '../../core/domain/known-accounts-config.ts';
import { accountDecoders, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { signerSchema } from './signer-schema.ts';
import { addressSchema, refusal, weiAmountSchema } from './value-schemas.ts';

const maxContextBytes = 4_096;

/** Decimal text, in millionths of a USD: JSON numbers are doubles. */
const usdAmountSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount in USD as text, like "25" or "12.50"')
  .transform((text) => parseUnits(text, 6));

/** A second paymaster (ERC-7677), used while ours cannot sign. Its URL file is read later. */
export const vendorSchema = z
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
      'must be "all" or a list of account ids: it says whose operations the operator pays the vendor for',
    ),
    paymasters: z.array(addressSchema).min(1, 'must have at least one paymaster contract').max(50),
    budget: z.strictObject({
      usdPerDay: usdAmountSchema,
      usdPerMonth: usdAmountSchema,
      maxSharePerClient: z.number().min(0.001).max(1).default(0.25),
    }),
    maxPaymasterGas: z.int().min(10_000).max(2_000_000).optional(),
    timeoutMs: z.int().min(100).max(10_000).default(3_000),
  })
  .refine(
    ({ url, urlFile }) => (url === undefined) !== (urlFile === undefined),
    refusal('must have either urlFile, a file with the URL in its first line, or url'),
  );

export type VendorSection = z.output<typeof vendorSchema>;

/** Compares the amounts only if both are valid. */
const ruleSchema = z
  .strictObject({ below: weiAmountSchema, to: weiAmountSchema })
  .refine(({ below, to }) => below > 0n && below < to, 'must have below above 0, and to above below');

/** Its transactions require a local key: a signer backend only signs messages. */
const walletSchema = signerSchema.refine(
  ({ keystoreFile, standIns }) => keystoreFile !== undefined && standIns === undefined,
  refusal('must be a keystoreFile without standIns'),
);

/** The hot wallet of a chain, and what it tops up. */
export const hotWalletSchema = z
  .strictObject({
    wallet: walletSchema,
    maxPerDay: weiAmountSchema,
    executors: ruleSchema.optional(),
    deposits: ruleSchema.optional(),
  })
  .refine(
    ({ executors, deposits }) => executors !== undefined || deposits !== undefined,
    refusal('must have executors or deposits'),
  )
  .refine(
    ({ executors, deposits, maxPerDay }) =>
      [executors, deposits].every((rule) => rule === undefined || rule.to < maxPerDay),
    'must have maxPerDay above each to: an empty balance is filled in one transfer',
  );

export type HotWalletSection = z.output<typeof hotWalletSchema>;

const maxEntries = 1_000;
/** No block has as much gas. */
const maxGas = 1_000_000_000;
/** Longest code of a contract in bytes (EIP-7907), the maximum offset of an immutable. */
const maxCodeBytes = 262_144;

const wordSchema = z.custom<Hex>((value) => isHex(value) && /^0x[0-9a-f]{64}$/.test(value), {
  error: 'must be 32 bytes in lower-case hex, like the hash that a refusal names',
});

const codeShape = {
  codeHash: wordSchema,
  immutables: z.array(z.int().min(0).max(maxCodeBytes)).max(100).optional(),
};

const known = [...new Set(accountDecoders.map(({ name, version }) => `${name} ${version}`))].join(', ');

const accountSchema = z
  .strictObject({ name: z.string(), version: z.string(), ...codeShape })
  .refine(({ name, version }) => findAccountDecoder(name, version) !== undefined, {
    error: `must have name and version of accounts whose calls are understood: ${known}`,
  })
  .transform(withoutAbsent);

const helperSchema = z.strictObject(codeShape).transform(withoutAbsent);
const proxySchema = z.strictObject({ slot: wordSchema.optional(), ...codeShape }).transform(withoutAbsent);

const gas = z.int().min(1).max(maxGas).transform(BigInt).optional();
const gasSchema = z
  .strictObject({ call: gas, verification: gas, deployment: gas, preVerification: gas })
  .transform(withoutAbsent);

/** A chain's additions to the published account kinds, and the gas caps of accounts. */
export const accountsSchema = z
  .strictObject({
    implementations: z.array(accountSchema).max(maxEntries).optional(),
    proxies: z.array(proxySchema).max(maxEntries).optional(),
    factories: z.array(accountSchema).max(maxEntries).optional(),
    helpers: z.array(helperSchema).max(maxEntries).optional(),
    gas: z.strictObject({ KNOWN: gasSchema.optional(), ANY: gasSchema.optional() }).transform(withoutAbsent).optional(),
  })
  .transform((accounts): KnownAccountsConfig => withoutAbsent(accounts));

function withoutAbsent<Fields extends object>(fields: Fields) {
  return omitAbsent(fields);
}
