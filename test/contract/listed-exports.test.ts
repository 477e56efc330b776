import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import { accountDecoders } from '../../core/evm/account-decoders/find-decoder.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { familyCodes } from '../../server/paymaster-contract/family-code.ts';
import { whereItsCodeIs } from '../../server/paymaster-contract/family-facts.ts';
import { root } from '../../tools/prose/find-markdown-files.ts';

/** What the modules below a folder export: values, and the items of lists. */
async function exportsBelow(folder: string): Promise<readonly unknown[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.ts')).map((file) => import(join(root, folder, file)));
  return (await Promise.all(modules)).flatMap((module: object) => Object.values(module)).flat();
}

type Named = { readonly name: string; readonly version?: string };

function namesOf(list: readonly Named[]): readonly string[] {
  return [...new Set(list.map(({ name, version = '' }) => `${name} ${version}`))].sort();
}

test.each([
  ['core/evm/paymaster-contracts', 'assemble', [...paymasterContractFamilies.values()]],
  ['core/evm/account-decoders', 'decode', accountDecoders],
  ['core/evm/account-codes/kinds', 'implementations', knownAccounts],
])('everything that is written in %s is in its list', async (folder, member, list) => {
  const isOne = (each: unknown): each is Named => typeof each === 'object' && each !== null && member in each;
  expect(namesOf((await exportsBelow(folder)).filter(isOne))).toEqual(namesOf(list));
});

test('the family that the development chain has for an EntryPoint is one for it', () => {
  const versionOf = (family: string) => paymasterContractFamilies.get(family)?.entryPointVersion;
  expect(entryPointVersions.map((version) => versionOf(devnetFamilies[version]))).toEqual(entryPointVersions);
});

test('the code of every family can be deployed, or its source is named', () => {
  const names = [...paymasterContractFamilies.keys()];
  expect(names.filter((name) => !familyCodes.has(name) && !whereItsCodeIs(name).includes('https://'))).toEqual([]);
});
