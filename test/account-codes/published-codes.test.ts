import { readFileSync } from 'node:fs';
import { type Address, concat, getAddress, getContractAddress, type Hex, pad, parseAbi, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { catalogue, type KnownCode } from '../../core/evm/account-codes/catalogue.ts';
import { implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import type { CodeMark } from '../../core/evm/account-codes/known-code.ts';
import { createKnownCodeTable, hasMark } from '../../core/evm/account-codes/known-code-table.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import {
  addressMade,
  readArtifact,
  safe150Artifact,
  safeArtifact,
  safeModuleArtifact,
  safeSingletonFactory,
} from '../support/accounts/published-packages.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { packageFile } from '../support/packages/pack.ts';
import { deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';

type PublishedContract = { readonly address: Address; readonly code: Hex };

/** Packages that no test loads. Their rows were read in the package itself. */
const notInstalled: readonly string[] = ['@account-kit/smart-contracts'];

/** Names under which the tests have a package, by name and version. */
const aliases: Readonly<Record<string, string>> = {
  '@account-abstraction/contracts 0.6.0': '@account-abstraction/contracts-0.6',
  '@account-abstraction/contracts 0.7.0': '@account-abstraction/contracts-0.7',
  '@account-abstraction/contracts 0.8.0': '@account-abstraction/contracts-0.8',
  '@account-abstraction/contracts 0.9.0-rc.1': '@account-abstraction/contracts-0.9',
  '@openzeppelin/contracts 4.9.6': '@openzeppelin/contracts-4',
};

type Row = KnownCode & { readonly title: string; readonly kind: string };
const rows: readonly Row[] = catalogue.flatMap(({ kind, codes }) =>
  codes.map((code) => ({ ...code, kind, title: `${kind}: ${code.contract}, ${code.role}` })),
);
/** Rows whose package is installed, with the name under which it is. */
const published = rows.flatMap((row) => {
  if (!('package' in row.source) || notInstalled.includes(row.source.package)) return [];
  const { package: name, version, file, has } = row.source;
  return [{ ...row, name: aliases[`${name} ${version}`] ?? name, version, file, has }];
});

let devnet: Devnet;
let contracts: readonly PublishedContract[];
beforeAll(async () => {
  devnet = await leaseDevnet();
  contracts = [...simpleAccounts(), ...safes(), ...openZeppelins(), ...(await deployed())];
});
afterAll(() => devnet.close());

/** Code as compiled, with zeros for immutables, where its creation code is put if that says anything. */
function simpleAccounts(): readonly PublishedContract[] {
  const contracts = entryPointVersions.flatMap((version) =>
    ['SimpleAccount', 'SimpleAccountFactory'].map((contract) => {
      const { deployedBytecode } = aaArtifact(version, contract);
      return { address: zeroAddress, code: deployedBytecode };
    }),
  );
  const { bytecode, deployedBytecode } = aaArtifact('0.8', 'Simple7702Account');
  const { deployedBytecode: code09 } = aaArtifact('0.9', 'Simple7702Account');
  return [
    ...contracts,
    { address: addressMade(create2Deployer, bytecode), code: deployedBytecode },
    { address: zeroAddress, code: code09 },
  ];
}

function aaArtifact(version: string, contract: string) {
  return readArtifact(`@account-abstraction/contracts-${version}`, `artifacts/${contract}.json`);
}

function safes(): readonly PublishedContract[] {
  const contracts = ['Safe', 'SafeL2', 'proxies/SafeProxyFactory', 'proxies/SafeProxy', 'libraries/MultiSend'];
  const deployed = [safeArtifact, safe150Artifact].flatMap((read) =>
    contracts.map((contract) => {
      const { bytecode, deployedBytecode } = read(contract);
      return { address: addressMade(safeSingletonFactory, bytecode), code: deployedBytecode };
    }),
  );
  const { bytecode, deployedBytecode } = safeModuleArtifact('Safe4337Module');
  const creationCode = concat([bytecode, pad(devnet.entryPoints['0.7'])]);
  const setup = safeModuleArtifact('SafeModuleSetup');
  return [
    ...deployed,
    { address: addressMade(create2Deployer, creationCode), code: deployedBytecode },
    { address: addressMade(create2Deployer, setup.bytecode), code: setup.deployedBytecode },
  ];
}

function openZeppelins(): readonly PublishedContract[] {
  return ['ERC1967Proxy', 'BeaconProxy', 'UpgradeableBeacon'].map((contract) => ({
    address: zeroAddress,
    code: readArtifact('@openzeppelin/contracts-4', `build/contracts/${contract}.json`).deployedBytecode,
  }));
}

/** Code that published creation code leaves on a chain. */
async function deployed(): Promise<readonly PublishedContract[]> {
  const { client, accountFactories } = devnet;
  const abi = parseAbi(['function accountImplementation() view returns (address)']);
  const { implementation, factory, ecdsaModule } = await deployBiconomyAccount(devnet);
  const metamask = await deployMetaMask(devnet);
  const ofMetamask = [...Object.values(metamask.implementations), metamask.SimpleFactory];
  const all = [implementation, factory, ecdsaModule, ...Object.values(accountFactories), ...ofMetamask];
  for (const address of Object.values(accountFactories)) {
    all.push(await client.readContract({ address, abi, functionName: 'accountImplementation' }));
  }
  // Where these are is the test's own doing, and says nothing.
  return Promise.all(
    all.map(async (address) => ({ address: zeroAddress, code: (await client.getCode({ address })) ?? '0x' })),
  );
}

describe('what the catalogue says of a package is in it:', () => {
  const proxyTests = 'published-proxies.test.ts has what factories make';
  test.each(published.map((row) => [row.title, row] as const))(
    '%s',
    (_title, { name, version, file, has, mark, role }) => {
      const { version: installed } = JSON.parse(readFileSync(packageFile(name, 'package.json'), 'utf8'));
      expect(version).toBe(installed);
      const text = readFileSync(packageFile(name, file), 'utf8');
      if (has === 'address') {
        expect(text.toLowerCase()).toContain('address' in mark ? mark.address.toLowerCase() : 'an address');
      } else if (role !== 'proxy') {
        expect(
          contracts.filter((location) => hasMark(mark, location)),
          proxyTests,
        ).not.toEqual([]);
      }
    },
  );

  test('and what it says of a repository is of one commit', () => {
    for (const { source } of rows) if ('repository' in source) expect(source.commit).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('the table', () => {
  test('has every contract of the catalogue that runs or makes accounts, and no other', () => {
    const ofKinds = knownAccounts.flatMap(({ implementations, factories = [], requires = [] }) => [
      ...implementations,
      ...factories.map(({ mark }) => mark),
      ...requires.flatMap(({ oneOf }) => oneOf.map((address) => ({ address }))),
    ]);
    const text = (mark: CodeMark) => ('address' in mark ? mark.address : mark.codeHash);
    const listed = rows.filter(({ role }) => role !== 'proxy' && role !== 'beacon');
    const used = new Set(ofKinds.map(text));
    expect(listed.filter(({ role, mark }) => role !== 'helper' && !used.has(text(mark)))).toEqual([]);
    const known = new Set(listed.map(({ mark }) => text(mark)));
    expect([...used].filter((one) => !known.has(one))).toEqual([]);
  });

  test('has one kind for each entry, except those that only have code of others', () => {
    const names = new Set(knownAccounts.map(({ name }) => name));
    expect(catalogue.map(({ kind }) => kind).filter((kind) => !names.has(kind))).toEqual(['Proxies of several kinds']);
  });
});

test('the factories of LightAccount make their implementations with their first creation', () => {
  const kinds = knownAccounts.filter(({ name }) => name.includes('LightAccount'));
  expect(kinds).toHaveLength(3);
  for (const { implementations, factories = [] } of kinds) {
    const [from] = factories.flatMap(({ mark }) => ('address' in mark ? [mark.address] : []));
    if (from === undefined) throw new Error('The factory is known by its address.');
    expect(implementations).toEqual([{ address: getContractAddress({ from, nonce: 1n }) }]);
  }
});

test('arguments behind Solady’s proxy change nothing, and other bytes in it do', () => {
  const table = createKnownCodeTable();
  const proxy: Hex =
    '0x363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3';
  const delegation = { slot: implementationSlot, through: undefined };
  expect(table.findDelegation(proxy)).toEqual(delegation);
  expect(table.findDelegation(`${proxy}${'5b'.repeat(20)}`)).toEqual(delegation);
  expect(table.findDelegation(`${proxy.slice(0, -2)}f4${'5b'.repeat(20)}` as Hex)).toBeUndefined();
  expect(table.findDelegation(`0x00${proxy.slice(2)}`)).toBeUndefined();
});

test('one byte more, or one other, is other code', () => {
  const table = createKnownCodeTable();
  const kindOf = (code: Hex) => table.findKinds({ address: zeroAddress, code })[0]?.name;
  const { deployedBytecode } = aaArtifact('0.7', 'SimpleAccount');
  expect(kindOf(deployedBytecode)).toBe('SimpleAccount 0.7');
  expect(kindOf(`${deployedBytecode}00`)).toBeUndefined();
  expect(kindOf(`0x61${deployedBytecode.slice(4)}`)).toBeUndefined();
});

test('addresses have their checksums, as those that are read from the chain do', () => {
  for (const { mark } of rows) if ('address' in mark) expect(getAddress(mark.address)).toBe(mark.address);
});

test('every kind is read by decoders that there are', () => {
  for (const { decoders } of knownAccounts) {
    expect(decoders.length).toBeGreaterThan(0);
    for (const { name, version } of decoders) expect(findAccountDecoder(name, version), name).toBeDefined();
  }
});
