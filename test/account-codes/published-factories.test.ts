import {
  getSmartAccountsEnvironment,
  Implementation,
  type SmartAccountsEnvironment,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit';
import { SafeAccountV1_5_0_M_0_3_0, SafeMultiChainSigAccountV1 } from 'abstractionkit';
import {
  toEtherspotSmartAccount,
  toKernelSmartAccount,
  toNexusSmartAccount,
  toSafeSmartAccount,
  toThirdwebSmartAccount,
} from 'permissionless/accounts';
import {
  type Address,
  concat,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem';
import { entryPoint06Address, entryPoint07Address } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startale } from '../../core/evm/account-codes/kinds/startale.ts';
import { createKnownCodeTable } from '../../core/evm/account-codes/known-code-table.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import { createdByStartale } from '../support/accounts/published/startale-account.ts';
import {
  addressesIn,
  addressMade,
  importPublished,
  safeArtifact,
  safeModuleArtifact,
  safeSingletonFactory,
} from '../support/accounts/published-packages.ts';

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

test('a Safe of two hundred owners is read; what would have a thousand is not, since each address costs a checksum', async () => {
  const ownersOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...owner, address: pad(toHex(index + 1), { size: 20 }) }));
  expect(creationOf(await safe('0.7', { owners: ownersOf(200) }))).toBe('Safe 1.4.1');
  expect(creationOf(await safe('0.7', { owners: ownersOf(1_000) }))).toBe('other');
});

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

describe('a Safe of abstractionkit', () => {
  const owners = [owner.address];
  const made = ([factory, factoryData]: [string, string]) => ({
    factory: factory as Address,
    factoryData: factoryData as Hex,
  });

  test('is known with signatures for several chains, and at 1.5.0', () => {
    const several = made(SafeMultiChainSigAccountV1.createFactoryAddressAndData(owners));
    expect(creationOf(several)).toBe('Safe with multi-chain signatures');
    expect(creationOf(made(SafeAccountV1_5_0_M_0_3_0.createFactoryAddressAndData(owners)))).toBe('Safe 1.5.0');
    const module = '22939e839e3c0f479b713eaf95e0df128554aead';
    const other = several.factoryData.replace(module, stranger.slice(2)) as Hex;
    expect(other).not.toBe(several.factoryData);
    expect(creationOf({ ...several, factoryData: other })).toBe('other');
  });
});

test('a Safe behind the launchpad of Safe7579 is known, unless its setup does more', async () => {
  const launchpad = {
    safe4337ModuleAddress: '0x7579EE8307284F293B1927136486880611F20002',
    erc7579LaunchpadAddress: '0x7579011aB74c46090561ea277Ba79D510c6C00ff',
    attesters: [],
    attestersThreshold: 0,
    validators: [],
  };
  const { factory = stranger, factoryData = '0x' } = await safe('0.7', launchpad);
  expect(creationOf({ factory, factoryData })).toBe('Safe7579 1');
  expect(creationOf(await safe('0.7', { ...launchpad, erc7579LaunchpadAddress: stranger }))).toBe('other');
  const abi = parseAbi([
    'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
    'function preValidationSetup(bytes32 initHash, address to, bytes preInit)',
  ]);
  const { args = [] } = decodeFunctionData({ abi, data: factoryData });
  const initializing = (to: Address, preInit: Hex) => {
    const initializer = encodeFunctionData({
      abi,
      functionName: 'preValidationSetup',
      args: [pad('0x1'), to, preInit],
    });
    const changed = [args[0] as Address, initializer, 0n] as const;
    return creationOf({
      factory,
      factoryData: encodeFunctionData({ abi, functionName: 'createProxyWithNonce', args: changed }),
    });
  };
  expect(initializing(zeroAddress, '0x')).toBe('Safe7579 1');
  expect(initializing(stranger, '0x')).toBe('other');
  expect(initializing(zeroAddress, '0x12')).toBe('other');
});

describe('a Nexus', async () => {
  const { DEFAULT_CONFIGURATIONS_BY_MEE_VERSION } = await importPublished(
    '@biconomy/abstractjs',
    'dist/_esm/constants/index.js',
  );
  const word = z.templateLiteral(['0x', z.string()]);
  const configurations = z
    .record(
      z.string(),
      z.object({
        factoryAddress: word,
        bootStrapAddress: word,
        implementationAddress: word,
        validatorAddress: word,
        moduleRegistry: z.object({ registryAddress: word }).optional(),
      }),
    )
    .parse(DEFAULT_CONFIGURATIONS_BY_MEE_VERSION);
  const encoders = (await importPublished(
    '@biconomy/abstractjs',
    'dist/_esm/account/decorators/getFactoryData.js',
  )) as Record<'getInitDataNoRegistry' | 'getInitDataWithRegistry' | 'getFactoryData', (params: object) => Hex>; // as its types say
  const configOf = (version: string) => {
    const found = configurations[version];
    if (found === undefined) throw new Error(`abstractjs has no MEE ${version}.`);
    return found;
  };
  const none = { module: zeroAddress, data: '0x' };
  const initData = (version: string, data: Hex, executors: readonly object[] = [], hook: object = none): Hex => {
    const { bootStrapAddress, validatorAddress, moduleRegistry } = configOf(version);
    return moduleRegistry === undefined
      ? encoders.getInitDataNoRegistry({
          defaultValidator: { module: zeroAddress, data },
          prevalidationHooks: [],
          validators: [],
          executors,
          hook,
          fallbacks: [],
          bootStrapAddress,
        })
      : encoders.getInitDataWithRegistry({
          bootStrapAddress,
          validators: [{ module: validatorAddress, data }],
          registryAddress: moduleRegistry.registryAddress,
          attesters: [],
          attesterThreshold: 0,
          meeVersion: version,
        });
  };
  const created = (version: string, data: Hex) => ({
    factory: getAddress(configOf(version).factoryAddress),
    factoryData: encoders.getFactoryData({ initData: data, index: 3n }),
  });
  const replaced = (text: Hex, address: Hex): Hex => {
    const digits = address.slice(2).toLowerCase();
    expect(text).toContain(digits);
    return text.replace(digits, stranger.slice(2)) as Hex;
  };

  test.each(['1.0.0', '1.1.0', '2.0.0', '2.1.0', '2.2.1'])(
    'of abstractjs for MEE %s is known with its validator for one owner, and nothing else',
    (version) => {
      const plain = initData(version, owner.address);
      const { factory, factoryData } = created(version, plain);
      expect(table.findCreation({ address: factory, code: '0x00', callData: factoryData })).toMatchObject({
        kind: { name: 'Nexus 1' },
        creation: { implementation: getAddress(configOf(version).implementationAddress) },
      });
      expect(creationOf(created(version, initData(version, concat([owner.address, stranger]))))).toBe('other');
      expect(creationOf(created(version, replaced(plain, configOf(version).bootStrapAddress)))).toBe('other');
      expect(creationOf(created(version, `${plain}00`))).toBe('other');
      expect(creationOf({ factory, factoryData: `${factoryData}00` })).toBe('other');
    },
  );

  test.each(['2.0.0', '2.1.0', '2.2.1'])(
    'of abstractjs for MEE %s is known with its empty hook, and with no other',
    async (version) => {
      const { toEmptyHook } = (await importPublished('@biconomy/abstractjs', 'dist/_esm/modules/toEmptyHook.js')) as {
        readonly toEmptyHook: () => { readonly module: Hex; readonly data: Hex };
      };
      const withHook = (hook: object) => creationOf(created(version, initData(version, owner.address, [], hook)));
      const { module, data } = toEmptyHook();
      expect(withHook({ module, data })).toBe('Nexus 1');
      expect(withHook({ module: stranger, data })).toBe('other');
      expect(withHook({ module, data: `${data}00` })).toBe('other');
      expect(withHook({ module, data: pad('0x1') })).toBe('other');
    },
  );

  test('with an executor, or another validator, is not known', () => {
    const executors = [{ module: stranger, data: '0x' }];
    expect(creationOf(created('2.0.0', initData('2.0.0', owner.address, executors)))).toBe('other');
    const plain = initData('1.0.0', owner.address);
    expect(creationOf(created('1.0.0', replaced(plain, configOf('1.0.0').validatorAddress)))).toBe('other');
  });

  test('of permissionless is known, with at most two attesters', async () => {
    const args = (attesters: Address[]) =>
      toNexusSmartAccount({ client, owners: [owner], version: '1.0.0', address, attesters, threshold: 1 }).then(
        (account) => account.getFactoryArgs(),
      );
    expect(creationOf(await args([stranger, owner.address]))).toBe('Nexus 1');
    expect(creationOf(await args([stranger, owner.address, address]))).toBe('other');
  });
});

test.each(['0.6', '0.7'] as const)(
  'an account of thirdweb for %s is known, with a salt of a word at most',
  async (version) => {
    const made = async (salt?: string) => {
      const parameters = {
        client,
        owner,
        entryPoint: entryPoints[version],
        address,
        ...(salt === undefined ? {} : { salt }),
      };
      return (await toThirdwebSmartAccount(parameters)).getFactoryArgs();
    };
    expect(creationOf(await made())).toBe(`thirdweb ${version}`);
    const salted = await made('of my own');
    expect(creationOf(salted)).toBe(`thirdweb ${version}`);
    expect(creationOf({ ...salted, factoryData: `${salted.factoryData ?? '0x'}00` })).toBe('other');
    expect(creationOf(await made('x'.repeat(33)))).toBe('other');
  },
);

test('a wallet of Etherspot is known with its validator for its owner, and nothing else', async () => {
  const made = async (over: object = {}) => {
    const account = await toEtherspotSmartAccount({
      client,
      owners: [owner],
      entryPoint: entryPoints['0.7'],
      address,
      ...over,
    });
    return account.getFactoryArgs();
  };
  const plain = await made();
  expect(creationOf(plain)).toBe('Etherspot 1');
  expect(creationOf(await made({ validatorAddress: stranger }))).toBe('other');
  expect(creationOf(await made({ bootstrapAddress: stranger }))).toBe('other');
  const { factory, factoryData = '0x' } = plain;
  expect(creationOf({ factory, factoryData: `${factoryData}00` })).toBe('other');
  // The bootstrap has `initMSA(validators, executors, hook, fallbacks)`: a module instead of each zero address in it.
  const nothing = `${'00'.repeat(32)}${'40'.padStart(64, '0')}`;
  // The first are the salt and where its data is.
  const [, ...places] = [...factoryData.matchAll(new RegExp(nothing, 'g'))].map(({ index }) => index);
  expect(places).toHaveLength(3);
  for (const place of places) {
    const withModule = `${factoryData.slice(0, place)}${pad(stranger).slice(2)}${factoryData.slice(place + 64)}` as Hex;
    expect(creationOf({ factory, factoryData: withModule })).toBe('other');
  }
});

test('an account of Startale is known with its validator for one owner, and with nothing else', () => {
  const readStartale = ({ factoryData }: { readonly factoryData: Hex }) =>
    startale.factories?.map(({ readCreation }) => readCreation({ code: '0x', callData: factoryData }));
  const plain = createdByStartale(owner.address);
  const runs = [
    { address: '0x000000552A5fAe3Db7a8F3917C435448F49BA6a9', marks: [expect.anything()] },
    { address: '0x00000072F286204Bb934eD49D8969E86F7dEC7b1', marks: [expect.anything()] },
  ];
  const creation = { implementation: '0x000000b8f5f723A680d3D7EE624Fe0bC84a6E05A', runs };
  expect(readStartale(plain)).toEqual([creation]);
  expect(readStartale(createdByStartale(owner.address, { hook: { module: zeroAddress, data: '0x' } }))).toEqual([
    creation,
  ]);
  const named = addressesIn(['@rhinestone/sdk', 'dist/src/accounts/startale.js']);
  for (const { address: called } of runs) expect(named).toContain(called.toLowerCase());
  expect(named).toContain(creation.implementation.toLowerCase());
  const others = [
    createdByStartale(owner.address, { bootstrap: stranger }),
    createdByStartale(owner.address, { executors: [stranger] }),
    createdByStartale(owner.address, { hook: { module: stranger, data: '0x' } }),
    createdByStartale(owner.address, { ownerData: concat([owner.address, stranger]) }),
    { factoryData: `${plain.factoryData}00` as const },
  ];
  for (const other of others) expect(readStartale(other)).toEqual([undefined]);
});

test("Circle's wallet is known with the plugin for owners and passkeys, and with no other", () => {
  const abi = parseAbi(['function createAccount(bytes32 sender, bytes32 salt, bytes initializingData)']);
  const factory = '0x0000000DF7E6c9Dc387cAFc5eCBfa6c3a6179AdD';
  const plugin: Address = '0x0000000C984AFf541D6cE86Bb697e68ec57873C8';
  const creating = (plugins: Address[], installData: Hex[]) => {
    const parameters = parseAbiParameters('address[], bytes32[], bytes[]');
    const data = encodeAbiParameters(parameters, [plugins, plugins.map(() => pad('0xabcd')), installData]);
    return creationOf({ factory, factoryData: encodeFunctionData({ abi, args: [pad('0x1'), pad('0x2'), data] }) });
  };
  const owners = encodeAbiParameters(
    parseAbiParameters('address[], uint256[], (uint256 x, uint256 y)[], uint256[], uint256'),
    [[owner.address], [1n], [{ x: 5n, y: 6n }], [1n], 1n],
  );
  expect(creating([plugin], [owners])).toBe('Circle MSCA 1');
  expect(creating([stranger], [owners])).toBe('other');
  expect(creating([plugin, stranger], [owners, '0x12'])).toBe('other');
  expect(creating([plugin], [`0x${'11'.repeat(1_025)}`])).toBe('other');
  expect(creating([plugin], ['0x'])).toBe('other');
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
