import { HybridDeleGator } from '@metamask/delegation-abis';
import { type Hex, keccak256 } from 'viem';
import { expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { lightAccount20 } from '../../core/evm/account-codes/kinds/alchemy.ts';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import type { KnownCodeList, MissingCode } from '../../core/node/account-codes/seen-account.ts';
import { configurationEntry } from '../../core/sponsorship/gas/configuration-entry.ts';
import { accountsSchema } from '../../server/config/chain-part-schemas.ts';
import { accountMethods } from '../support/accounts/account-kinds.ts';
import { modulekitCode } from '../support/accounts/place-code.ts';
import { readArtifact } from '../support/accounts/published-packages.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { biconomyCreationCode } from '../support/published-clients/deploy-biconomy-account.ts';

const address = numberedAddress(0xa1);
const target = numberedAddress(0xa2);

function missingCode(list: KnownCodeList, code: Hex): MissingCode {
  return { list, address, code, codeHash: keccak256(code) };
}

/** The name and version in the entry for this code, after a call. */
function entryFor(code: Hex, call: Call, named?: { readonly name: string; readonly version: string }): string {
  const entry = JSON.parse(configurationEntry({ missing: [missingCode('implementations', code)] }, { ...call, named }));
  const [{ name, version }] = entry.implementations;
  return `${name} ${version}`;
}

type Call = Omit<Parameters<typeof configurationEntry>[1], 'named'>;
const noCall: Call = { operation: { callData: '0x', entryPointVersion: '0.7' }, decided: { calls: [] } };

/** An operation for each method of an account, with the calls that are read from it. */
function callsOf(account: string, entryPointVersion: EntryPointVersion, version?: string): readonly Call[] {
  return accountMethods
    .filter((one) => one.account === account && one.version === (version ?? one.version))
    .filter((one) => one.entryPointVersion === entryPointVersion)
    .flatMap((one) => {
      const callData = one.encode([{ target, value: 0n, data: '0xd09de08a' }]);
      const decided = detectAccount(accountDecoders, callData, entryPointVersion);
      return decided.understood ? [{ operation: { callData, entryPointVersion }, decided }] : [];
    });
}

test('an entry that is pasted into the configuration makes all missing code known, with the account it is named for', () => {
  const missing = (['factories', 'proxies', 'helpers', 'implementations', 'implementations'] as const).map((list) =>
    missingCode(list, `0x6001${Buffer.from(list).toString('hex')}`),
  );
  const entry = configurationEntry({ missing, kindBehind: lightAccount20 }, noCall);
  const named = { name: 'LIGHT_ACCOUNT', version: '2.0.0' };
  const [factory, proxy, helper, implementation] = missing.map(({ codeHash }) => codeHash);
  expect(accountsSchema.parse(JSON.parse(entry))).toEqual({
    factories: [{ ...named, codeHash: factory }],
    helpers: [{ codeHash: helper }],
    proxies: [{ codeHash: proxy }],
    implementations: [{ ...named, codeHash: implementation }],
  });
});

const simpleAccount = (version: EntryPointVersion) =>
  readArtifact(`@account-abstraction/contracts-${version}`, 'artifacts/SimpleAccount.json').deployedBytecode;

/** Published code, and the account that has it. */
const published: readonly (readonly [name: string, version: string, entryPoint: EntryPointVersion, code: () => Hex])[] =
  [
    ['INFINITISM', '1.0.0', '0.6', () => simpleAccount('0.6')],
    ['INFINITISM', '1.0.0', '0.8', () => simpleAccount('0.8')],
    ['BICONOMY', '2.0.0', '0.6', () => biconomyCreationCode('SmartAccount_v200')],
    ['METAMASK', '1.0.0', '0.7', () => HybridDeleGator.bytecode as Hex],
    ['NEXUS', '1.0.0', '0.7', () => modulekitCode('Nexus', 'NEXUS_BYTECODE')],
    ['KERNEL', '3.1', '0.7', () => modulekitCode('Kernel', 'KERNEL_BYTECODE')],
  ];

test.each(published)(
  'after each call of %s %s on %s, the entry names an account that reads all its calls',
  (account, accountVersion, entryPointVersion, code) => {
    const calls = callsOf(account, entryPointVersion, accountVersion);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of [...calls, { ...noCall, operation: { callData: '0x', entryPointVersion } } as const]) {
      const [name = '', version = ''] = entryFor(code(), call).split(' ');
      const decoder = findAccountDecoder(name, version);
      for (const { operation, decided } of calls)
        expect(decoder?.decode(operation.callData, entryPointVersion), `${name} ${version}`).toMatchObject(decided);
    }
  },
);

test('the caller chooses among accounts that read all calls alike, and no other', () => {
  const code = modulekitCode('Kernel', 'KERNEL_BYTECODE');
  const calls = callsOf('KERNEL', '0.7');
  expect(calls.length).toBeGreaterThan(1);
  for (const call of calls) {
    expect(entryFor(code, call, { name: 'KERNEL', version: '3.1' })).toBe('KERNEL 3.1');
    expect(entryFor(code, call, { name: 'METAMASK', version: '1.0.0' })).not.toContain('METAMASK');
  }
});

test('the operator chooses where the code does not show which of several accounts it is', () => {
  const single = callsOf('THIRDWEB', '0.7').concat(callsOf('INFINITISM', '0.7'))[0];
  if (single === undefined) throw new Error('There is no such method.');
  const entry = entryFor('0x6001600155', single);
  expect(entry).toBe('NAME VERSION');
  const pasted = { implementations: [{ name: 'NAME', version: 'VERSION', codeHash: keccak256('0x00') }] };
  const [issue] = accountsSchema.safeParse(pasted).error?.issues ?? [];
  expect(issue?.message).toContain('must have name and version of accounts whose calls are understood: ');
});
