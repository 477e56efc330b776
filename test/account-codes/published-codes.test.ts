import { type Address, concat, getAddress, getContractAddress, type Hex, pad, parseAbi, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import type { AccountCodeKind, CodeMark } from '../../core/evm/account-codes/known-code.ts';
import { createKnownCodeTable } from '../../core/evm/account-codes/known-code-table.ts';
import { implementationSlot } from '../../core/evm/account-codes/known-proxies.ts';
import { hasMark } from '../../core/evm/account-codes/masked-code-hash.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';
import {
  addressesIn,
  addressMade,
  readArtifact,
  safeArtifact,
  safeModuleArtifact,
  safeSingletonFactory,
} from './published-packages.ts';

type Place = { readonly address: Address; readonly code: Hex };

/** What published packages have of an entry, the strongest first. */
const bases = [
  'published code',
  'an address of its maker',
  'an address of clients',
  'an address of its repository',
] as const;
type Basis = (typeof bases)[number];
const roles = ['implementations', 'requires', 'factories'] as const;
type Role = (typeof roles)[number];

type Row = { readonly title: string; readonly kind: string; readonly role: Role; readonly rests: readonly Basis[] };

function row(kind: string, role: Role, ...rests: readonly Basis[]): Row {
  return { title: `${kind}, ${role}: ${rests.join(' and ')}`, kind, role, rests };
}

/** On what each entry of the table rests. An entry that is in no row, or rests on something else, fails. */
const rows: readonly Row[] = [
  ...entryPointVersions.flatMap((version) => [
    row(`SimpleAccount ${version}`, 'implementations', 'published code'),
    row(`SimpleAccount ${version}`, 'factories', 'published code'),
  ]),
  row('Simple7702Account 0.8', 'implementations', 'published code'),
  // What clients delegate to is of a later release than npm has.
  row('Simple7702Account 0.9', 'implementations', 'published code', 'an address of clients'),
  row('Biconomy SmartAccount 2', 'implementations', 'published code'),
  row('Biconomy SmartAccount 2', 'factories', 'published code'),
  row('Safe 1.4.1', 'implementations', 'published code'),
  // No package has the code of Safe4337Module 0.2.0.
  row('Safe 1.4.1', 'requires', 'published code', 'an address of its maker'),
  row('Safe 1.4.1', 'factories', 'published code'),
  ...['2.2', '2.3', '2.4', '3.0', '3.1', '3.2', '3.3'].flatMap((version) => [
    row(`Kernel ${version}`, 'implementations', 'an address of its maker'),
    row(`Kernel ${version}`, 'factories', 'an address of its maker'),
  ]),
  row('Nexus 1', 'implementations', 'an address of its maker'),
  ...['LightAccount 1.1', 'LightAccount 2.0', 'MultiOwnerLightAccount 2.0'].flatMap((kind) => [
    row(kind, 'implementations', 'an address of its maker'),
    row(kind, 'factories', 'an address of its maker'),
  ]),
  row('Modular Account 1', 'implementations', 'an address of its repository'),
  row('Modular Account 1', 'factories', 'an address of its maker'),
  row('Modular Account 2', 'implementations', 'an address of its repository'),
  row('Modular Account 2', 'factories', 'an address of its repository'),
  row('Coinbase Smart Wallet 1', 'implementations', 'an address of its repository'),
  row('Coinbase Smart Wallet 1', 'factories', 'an address of clients'),
  // No package has the salts that would make these addresses of the code that the kit publishes.
  row('MetaMask 1.3', 'implementations', 'published code', 'an address of its maker'),
  row('MetaMask 1.3', 'factories', 'published code', 'an address of its maker'),
];

const addresses: Readonly<Record<Exclude<Basis, 'published code'>, readonly string[]>> = {
  'an address of its maker': addressesIn(
    ['@safe-global/safe-modules-deployments', 'dist/assets/safe-4337-module/v0.2.0/safe-4337-module.json'],
    ['@zerodev/sdk', 'constants.ts'],
    ['@biconomy/abstractjs', 'dist/_esm/constants/index.js'],
    ['@alchemy/aa-accounts', 'src/light-account/utils.ts'],
    ['@alchemy/aa-accounts', 'src/msca/utils.ts'],
    ['@metamask/delegation-deployments', 'dist/index.mjs'],
  ),
  'an address of clients': addressesIn(
    ['viem', 'account-abstraction/accounts/implementations/toCoinbaseSmartAccount.ts'],
    ['viem', 'account-abstraction/accounts/implementations/toSimple7702SmartAccount.ts'],
  ),
  // `script/DeployFactory.s.sol` of coinbase/smart-wallet, which has the salts of CREATE2 next to them.
  'an address of its repository': [
    '0x000100abaad02f1cfc8bbe32bd5a564817339e72',
    '0x00000110dcdedc9581cb5ecb8467282f2926534d',
    // `broadcast/Deploy.s.sol/1/run-1707343636.json` of alchemyplatform/modular-account, whose creation code and salt make it.
    '0x0046000000000151008789797b54fdb500e2a61e',
    // `src/ma-v2/utils.ts` of `@account-kit/smart-contracts` 4.88.5, which is not installed here.
    '0x00000000000002377b26b1eda7b0bc371c60dd4f',
    '0x000000000000c5a9089039570dd36455b5c07383',
    '0x0000000000006e2f9d80caec0da6500f005eb25a',
    '0x69007702764179f14f51cdce752f4f775d74e139',
    '0x00000000000017c61b5bee81050ec8efc9c6fecd',
  ],
};

let devnet: Devnet;
let published: readonly Place[];
beforeAll(async () => {
  devnet = await leaseDevnet();
  published = [...simpleAccounts(), ...safes(), ...(await deployed())];
});
afterAll(() => devnet.close());

/** Code as compiled, with zeros for immutables, where its creation code is put if that says anything. */
function simpleAccounts(): readonly Place[] {
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

function safes(): readonly Place[] {
  const contracts = ['Safe', 'SafeL2', 'proxies/SafeProxyFactory'].map((contract) => {
    const { bytecode, deployedBytecode } = safeArtifact(contract);
    return { address: addressMade(safeSingletonFactory, bytecode), code: deployedBytecode };
  });
  const { bytecode, deployedBytecode } = safeModuleArtifact('Safe4337Module');
  const creationCode = concat([bytecode, pad(devnet.entryPoints['0.7'])]);
  return [...contracts, { address: addressMade(create2Deployer, creationCode), code: deployedBytecode }];
}

/** Code that published creation code leaves on a chain. */
async function deployed(): Promise<readonly Place[]> {
  const { client, accountFactories } = devnet;
  const abi = parseAbi(['function accountImplementation() view returns (address)']);
  const { implementation, factory } = await deployBiconomyAccount(devnet);
  const metamask = await deployMetaMask(devnet);
  const ofMetamask = [...Object.values(metamask.implementations), metamask.SimpleFactory];
  const all = [implementation, factory, ...Object.values(accountFactories), ...ofMetamask];
  for (const address of Object.values(accountFactories)) {
    all.push(await client.readContract({ address, abi, functionName: 'accountImplementation' }));
  }
  // Where these are is the test's own doing, and says nothing.
  return Promise.all(
    all.map(async (address) => ({ address: zeroAddress, code: (await client.getCode({ address })) ?? '0x' })),
  );
}

function marksOf(kind: AccountCodeKind | undefined, role: Role): readonly CodeMark[] {
  if (role === 'implementations') return kind?.implementations ?? [];
  if (role === 'factories') return kind?.factories?.map(({ mark }) => mark) ?? [];
  return kind?.requires?.flatMap(({ oneOf }) => oneOf.map((address) => ({ address }))) ?? [];
}

function basisOf(mark: CodeMark): Basis | undefined {
  if (published.some((place) => hasMark(mark, place))) return 'published code';
  if (!('address' in mark)) return undefined;
  return bases.find((basis) => basis !== 'published code' && addresses[basis].includes(mark.address.toLowerCase()));
}

describe('what each entry rests on:', () => {
  test.each(rows.map((each) => [each.title, each] as const))('%s', (_title, { kind, role, rests }) => {
    const marks = marksOf(
      knownAccounts.find(({ name }) => name === kind),
      role,
    );
    expect(marks.filter((mark) => basisOf(mark) === undefined)).toEqual([]);
    expect(new Set(marks.map(basisOf))).toEqual(new Set(rests));
  });

  test('is said of all of them', () => {
    const all = knownAccounts.flatMap((kind) =>
      roles.flatMap((role) => (marksOf(kind, role).length === 0 ? [] : [`${kind.name}, ${role}`])),
    );
    expect(rows.map(({ kind, role }) => `${kind}, ${role}`).sort()).toEqual(all.sort());
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
  const kindOf = (code: Hex) => table.findKind({ address: zeroAddress, code })?.name;
  const { deployedBytecode } = aaArtifact('0.7', 'SimpleAccount');
  expect(kindOf(deployedBytecode)).toBe('SimpleAccount 0.7');
  expect(kindOf(`${deployedBytecode}00`)).toBeUndefined();
  expect(kindOf(`0x61${deployedBytecode.slice(4)}`)).toBeUndefined();
});

test('addresses have their checksums, as those that are read from the chain do', () => {
  const marks = knownAccounts.flatMap((kind) => roles.flatMap((role) => marksOf(kind, role)));
  for (const mark of marks) if ('address' in mark) expect(getAddress(mark.address)).toBe(mark.address);
});

test('every kind is read by decoders that there are', () => {
  for (const { decoders } of knownAccounts) {
    expect(decoders.length).toBeGreaterThan(0);
    for (const { name, version } of decoders) expect(findAccountDecoder(name, version), name).toBeDefined();
  }
});
