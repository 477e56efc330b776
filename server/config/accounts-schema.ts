import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, isHex } from 'viem';
import { z } from 'zod';
import type { KnownAccountsConfig } from '../../core/domain/known-accounts-config.ts';
import { accountDecoders, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';

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

const proxySchema = z.strictObject({ slot: wordSchema.optional(), ...codeShape }).transform(withoutAbsent);

const gas = z.int().min(1).max(maxGas).transform(BigInt).optional();
const gasSchema = z
  .strictObject({ call: gas, verification: gas, moduleVerification: gas, deployment: gas, preVerification: gas })
  .transform(withoutAbsent);

/** A chain's additions to the published account kinds, and the gas caps of accounts. */
export const accountsSchema = z
  .strictObject({
    implementations: z.array(accountSchema).max(maxEntries).optional(),
    proxies: z.array(proxySchema).max(maxEntries).optional(),
    factories: z.array(accountSchema).max(maxEntries).optional(),
    gas: z.strictObject({ KNOWN: gasSchema.optional(), ANY: gasSchema.optional() }).transform(withoutAbsent).optional(),
  })
  .transform((accounts): KnownAccountsConfig => withoutAbsent(accounts));

function withoutAbsent<Fields extends object>(fields: Fields) {
  return omitAbsent(fields);
}
