import {
  getSmartAccountsEnvironment,
  Implementation,
  type SmartAccountsEnvironment,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit';
import { toKernelSmartAccount, toSafeSmartAccount } from 'permissionless/accounts';
import {
  type Address,
  concat,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import { entryPoint06Address, entryPoint07Address } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createKnownCodeTable } from '../../core/evm/account-codes/known-code-table.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import {
  addressesIn,
  addressMade,
  importPublished,
  safeArtifact,
  safeModuleArtifact,
  safeSingletonFactory,
} from './published-packages.ts';

/** What the clients ask of a chain before they make an account: its id, and whether the account is there. */
const client = createPublicClient({
  chain: mainnet,
  transport: custom({
    request: async ({ method }: { method: string }) => {
      if (method === 'eth_chainId') return '0x1';
      if (method === 'eth_getCode') return '0x';
      throw new Error(`${method} is not expected.`);
    },
  }),
});
const owner = privateKeyToAccount(generatePrivateKey());
const address: Address = '0x00000000000000000000000000000000000acc01';
const stranger: Address = '0x0000000000000000000000000000000000000bad';
const entryPoints = {
  '0.6': { address: entryPoint06Address, version: '0.6' },
  '0.7': { address: entryPoint07Address, version: '0.7' },
} as const;
const table = createKnownCodeTable();

type FactoryArgs = { factory?: Address | undefined; factoryData?: Hex | undefined };

function creationOf({ factory = stranger, factoryData = '0x' }: FactoryArgs) {
  const found = table.findCreation({ address: factory, code: '0x00', callData: factoryData });
  return typeof found === 'string' ? found : found.kind.name;
}

function safe(version: keyof typeof entryPoints, over: object = {}) {
  const plain = { client, owners: [owner], version: '1.4.1', entryPoint: entryPoints[version], address } as const;
  return toSafeSmartAccount({ ...plain, ...over }).then((account) => account.getFactoryArgs());
}

test.each(['0.6', '0.7'] as const)(
  'a Safe of permissionless for %s is known, unless its setup does more',
  async (version) => {
    expect(creationOf(await safe(version))).toBe('Safe 1.4.1');
    expect(creationOf(await safe(version, { useMultiSendForSetup: false }))).toBe('Safe 1.4.1');
    expect(creationOf(await safe(version, { safe4337ModuleAddress: stranger }))).toBe('other');
    expect(creationOf(await safe(version, { safeModuleSetupAddress: stranger }))).toBe('other');
    expect(creationOf(await safe(version, { safeSingletonAddress: stranger }))).toBe('other');
    expect(creationOf(await safe(version, { safeModules: [stranger] }))).toBe('other');
    const setupTransactions = [{ to: stranger, data: '0x12345678', value: 0n }];
    expect(creationOf(await safe(version, { setupTransactions }))).toBe('other');
    expect(creationOf(await safe(version, { payment: 1n }))).toBe('other');
  },
);

test('a Safe that is set up with the addresses made of the published code is known', async () => {
  const module = concat([safeModuleArtifact('Safe4337Module').bytecode, pad(entryPoint07Address)]);
  const published = {
    safeSingletonAddress: addressMade(safeSingletonFactory, safeArtifact('SafeL2').bytecode),
    safeProxyFactoryAddress: addressMade(safeSingletonFactory, safeArtifact('proxies/SafeProxyFactory').bytecode),
    multiSendAddress: addressMade(safeSingletonFactory, safeArtifact('libraries/MultiSend').bytecode),
    safeModuleSetupAddress: addressMade(create2Deployer, safeModuleArtifact('SafeModuleSetup').bytecode),
    safe4337ModuleAddress: addressMade(create2Deployer, module),
  };
  expect(creationOf(await safe('0.7', published))).toBe('Safe 1.4.1');
});

function kernel(entryPoint: keyof typeof entryPoints, version: string, over: object = {}) {
  const owners: [typeof owner] = [owner];
  const plain = { client, owners, version, entryPoint: entryPoints[entryPoint], address };
  const parameters = { ...plain, ...over } as Parameters<typeof toKernelSmartAccount>[0]; // versions are of the EntryPoint
  return toKernelSmartAccount(parameters).then((account) => account.getFactoryArgs());
}

test.each([
  ['0.6', '0.2.2', '2.2'],
  ['0.6', '0.2.3', '2.3'],
  ['0.6', '0.2.4', '2.4'],
  ['0.7', '0.3.0-beta', '3.0'],
  ['0.7', '0.3.1', '3.1'],
  ['0.7', '0.3.2', '3.2'],
  ['0.7', '0.3.3', '3.3'],
] as const)(
  'a Kernel of permissionless for %s, version %s, is known, with a published validator',
  async (entryPoint, version, ours) => {
    expect(creationOf(await kernel(entryPoint, version))).toBe(`Kernel ${ours}`);
    expect(creationOf(await kernel(entryPoint, version, { validatorAddress: stranger }))).toBe('other');
    if (entryPoint === '0.7') {
      expect(creationOf(await kernel(entryPoint, version, { useMetaFactory: false }))).toBe(`Kernel ${ours}`);
      expect(creationOf(await kernel(entryPoint, version, { factoryAddress: stranger }))).toBe('other');
    }
  },
);

test('the validators of Kernel that run while it is made are those of its maker, and the one for passkeys of permissionless', async () => {
  const { kernelVersionRangeToValidator } = await importPublished('@zerodev/ecdsa-validator', '_esm/constants.js');
  const published = z.record(z.string(), z.templateLiteral(['0x', z.string()])).parse(kernelVersionRangeToValidator);
  const passkeys: Address = '0x7ab16Ff354AcB328452F1D445b3Ddee9a91e9e69';
  expect(addressesIn(['permissionless', 'accounts/kernel/toKernelSmartAccount.ts'])).toContain(passkeys.toLowerCase());
  const creation = async (
    entryPoint: keyof typeof entryPoints,
    version: string,
    validatorAddress: Address | undefined,
  ) => creationOf(await kernel(entryPoint, version, { validatorAddress }));
  expect(await creation('0.6', '0.2.4', published['0.0.2 - 0.2.4'])).toBe('Kernel 2.4');
  expect(await creation('0.7', '0.3.0-beta', published['0.3.0'])).toBe('Kernel 3.0');
  expect(await creation('0.7', '0.3.1', published['>=0.3.1'])).toBe('Kernel 3.1');
  expect(await creation('0.7', '0.3.1', passkeys)).toBe('Kernel 3.1');
});

describe('a factory of Alchemy', () => {
  const owners = [owner.address];
  test.each([
    [
      'LightAccount 1.1',
      '0x00004EC70002a32400f8ae005A26081065620D20',
      'createAccount(address owner, uint256 salt)',
      [owner.address, 7n],
    ],
    [
      'MultiOwnerLightAccount 2.0',
      '0x000000000019d2Ee9F2729A65AfE20bb0020AefC',
      'createAccount(address[] owners, uint256 salt)',
      [owners, 7n],
    ],
    [
      'MultiOwnerLightAccount 2.0',
      '0x000000000019d2Ee9F2729A65AfE20bb0020AefC',
      'createAccountSingle(address owner, uint256 salt)',
      [owner.address, 7n],
    ],
    [
      'Modular Account 1',
      '0x000000e92D78D90000007F0082006FDA09BD5f11',
      'createAccount(uint256 salt, address[] owners)',
      [7n, owners],
    ],
    [
      'Modular Account 2',
      '0x00000000000017c61b5bEe81050EC8eFc9c6fecd',
      'createSemiModularAccount(address owner, uint256 salt)',
      [owner.address, 7n],
    ],
  ] as const)('makes a known %s, by %s %s', (name, factory, signature, args) => {
    const abi = parseAbi([`function ${signature}`] as readonly string[]);
    const factoryData = encodeFunctionData({ abi, args });
    expect(creationOf({ factory, factoryData })).toBe(name);
    expect(creationOf({ factory, factoryData: `${factoryData}00` })).toBe('other');
    expect(creationOf({ factory, factoryData: `${factoryData}${'11'.repeat(32)}` })).toBe('other');
    expect(creationOf({ factory, factoryData: `0x12345678${factoryData.slice(10)}` })).toBe('other');
  });
});

const published = getSmartAccountsEnvironment(1, '1.3.0');

describe("an account of MetaMask's kit", () => {
  const parts = { client, deploySalt: '0x', environment: published } as const;
  const hybrid = (environment: SmartAccountsEnvironment = published) =>
    toMetaMaskSmartAccount({
      ...parts,
      environment,
      implementation: Implementation.Hybrid,
      deployParams: [owner.address, [], [], []],
      signer: { account: owner },
    }).then((account) => account.getFactoryArgs());
  const multiSig = () =>
    toMetaMaskSmartAccount({
      ...parts,
      implementation: Implementation.MultiSig,
      deployParams: [[owner.address], 1n],
      signer: [{ account: owner }],
    }).then((account) => account.getFactoryArgs());

  test('is known, of one owner or of several', async () => {
    expect(creationOf(await hybrid())).toBe('MetaMask 1.3');
    expect(creationOf(await multiSig())).toBe('MetaMask 1.3');
  });

  test('says which code it delegates to', async () => {
    const implementations = { ...published.implementations, HybridDeleGatorImpl: stranger };
    const { factory = stranger, factoryData = '0x' } = await hybrid({ ...published, implementations });
    const found = table.findCreation({ address: factory, code: '0x00', callData: factoryData });
    expect(found).toMatchObject({ creation: { implementation: getAddress(stranger) } });
  });

  test('is not known with any other code, initialization or argument', async () => {
    const { factory, factoryData = '0x' } = await hybrid();
    const abi = parseAbi(['function deploy(bytes bytecode, bytes32 salt)']);
    const { args } = decodeFunctionData({ abi, data: factoryData });
    const [bytecode, salt] = args;
    const deploying = (code: Hex) =>
      creationOf({ factory, factoryData: encodeFunctionData({ abi, args: [code, salt] }) });
    expect(deploying(bytecode)).toBe('MetaMask 1.3');
    expect(deploying(`0x61${bytecode.slice(4)}`)).toBe('other');
    expect(deploying(`${bytecode}00`)).toBe('other');
    expect(deploying('0x')).toBe('other');
    const initialize = toFunctionSelector('initialize(address,string[],uint256[],uint256[])').slice(2);
    const upgrade = toFunctionSelector('upgradeToAndCall(address,bytes)').slice(2);
    expect(bytecode).toContain(initialize);
    expect(deploying(bytecode.replace(initialize, upgrade) as Hex)).toBe('other');
  });
});
