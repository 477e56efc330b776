import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { toBiconomySmartAccount } from 'permissionless/accounts';
import {
  type Abi,
  type Address,
  concat,
  createPublicClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  slice,
  zeroAddress,
} from 'viem';
import { mainnet } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { KnownAccountsConfig } from '../../core/domain/known-accounts-config.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import {
  beaconImplementationSlot,
  beaconSlot,
  implementationSlot,
} from '../../core/evm/account-codes/find-in-catalogue.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import { createKnownCodeTable, hasMark } from '../../core/evm/account-codes/known-code-table.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { seeAccount } from '../../core/gas/simulation/probe-account.ts';
import { createAccountReader } from '../../core/node/account-codes/create-account-reader.ts';
import type { CodeParts } from '../../core/node/account-codes/follow-code.ts';
import { judgeCreation } from '../../core/node/account-codes/judge-creation.ts';
import type { AccountReading, SeenAccount } from '../../core/node/account-codes/seen-account.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  addressesIn,
  addressMade,
  safeArtifact,
  safeModuleArtifact,
  safeSingletonFactory,
} from '../support/accounts/published-packages.ts';
import { bundler, newSmartAccount, nextOperation } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { packageFile } from '../support/packages/pack.ts';
import { createAccount } from './create-account.ts';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await leaseDevnet();
});
afterAll(() => devnet.close());

const clock = { now: () => 0 };
const sender: Address = getAddress('0x00000000000000000000000000000000000acc01');

function readerOf(known?: KnownAccountsConfig) {
  return createAccountReader({ client: devnet.client as unknown as ChainClient, known, clock });
}

function operationOf(over: Partial<UserOperation>): UserOperation {
  const callData = encodeAccountCalls('0.7', []);
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  return { entryPointVersion: '0.7', sender, nonce: 0n, initCode: '0x', callData, signature: '0x', ...fees, ...over };
}

/** What is read of a sender, in one word: the same as the node tells now, and of what has been seen in a simulation. */
async function readSender(over: Partial<UserOperation> = {}, version: EntryPointVersion = '0.7', known?: object) {
  const reader = readerOf(known);
  const operation = operationOf(over);
  const read = async (seen?: SeenAccount) => wordOf(await reader.read(operation, devnet.entryPoints[version], seen));
  const now = await read();
  const slots = reader.slotsOf(operation);
  if (slots.slots.length === 0 || now === 'absent' || now.startsWith('created')) return now;
  const seen = await seeAccount(devnet.client as unknown as ChainClient, operation, slots);
  if (!seen.ok) throw new Error(seen.refusal.message);
  // What a simulation sees of an account that it creates is what it leaves there.
  if (operation.entryPointVersion === '0.9' && operation.initCode !== '0x' && seen.value.wasThere !== true) return now;
  expect(await read(seen.value)).toBe(now);
  return now;
}

function wordOf(reading: Result<AccountReading>): string {
  if (!reading.ok) throw new Error(reading.refusal.message);
  const { value } = reading;
  if ('kind' in value) return `${value.state}: ${value.kind.name}`;
  return value.state === 'unknown' ? value.why : value.state;
}

function implementationOf(version: EntryPointVersion): Promise<Address> {
  const abi = parseAbi(['function accountImplementation() view returns (address)']);
  return devnet.client.readContract({
    address: devnet.accountFactories[version],
    abi,
    functionName: 'accountImplementation',
  });
}

async function setCode(address: Address, bytecode: Hex, slots: Record<Hex, Address> = {}): Promise<void> {
  await devnet.client.setCode({ address, bytecode });
  for (const [index, value] of Object.entries(slots)) {
    await devnet.client.setStorageAt({ address, index: index as Hex, value: pad(value) });
  }
}

function openZeppelin(contract: string): Hex {
  const file = packageFile('@openzeppelin/contracts-4', `build/contracts/${contract}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { deployedBytecode: Hex }).deployedBytecode;
}

test.each(entryPointsOfRun)('SimpleAccount %s is known before its factory makes it, and after', async (version) => {
  const operation = await nextOperation(devnet, newSmartAccount(version), []);
  const { sender: account, initCode } = operation;
  const before = { entryPointVersion: version, sender: account, initCode };
  expect(await readSender(before, version)).toBe(`created: SimpleAccount ${version}`);
  expect(await readSender({ ...before, initCode: '0x' }, version)).toBe('absent');
  expect(await readSender({ ...before, sender }, version)).toMatch(/does not deploy the sender/);
  if (version === '0.9') {
    // The EntryPoint leaves the initCode out where there is code already, no matter who put it there.
    const squatted = getAddress('0x00000000000000000000000000000000000acc09');
    await setCode(squatted, '0x6001600155');
    expect(await readSender({ ...before, sender: squatted }, version)).toMatch(/^The code at .* is not known/);
    await setCode(squatted, openZeppelin('ERC1967Proxy'), { [implementationSlot]: squatted });
    expect(await readSender({ ...before, sender: squatted }, version)).toMatch(/delegates through more than/);
  }
  const changed: Hex = `0x${initCode.slice(2, 42)}f0f0f0f0`;
  expect(await readSender({ ...before, initCode: changed }, version)).toMatch(/is known, but its call data does more/);
  // The factory called with nothing at all.
  const bare = slice(initCode, 0, 20);
  expect(await readSender({ ...before, initCode: bare }, version)).toMatch(/is known, but its call data does more/);

  const seenLeaving = (code: Hex): SeenAccount => ({ code, words: {}, beaconImplementation: zeroAddress });
  const left = async (code: Hex) =>
    wordOf(await readerOf().read(operationOf(before), devnet.entryPoints[version], seenLeaving(code)));
  expect(await left('0x6001600155')).toMatch(/^The code at .* is not known/);

  await createAccount(devnet, initCode, version);
  expect(await left((await devnet.client.getCode({ address: account })) ?? '0x')).toBe(
    `created: SimpleAccount ${version}`,
  );
  expect(await readSender({ ...before, initCode: '0x' }, version)).toBe(`deployed: SimpleAccount ${version}`);
});

describe('whatever an account delegates through', () => {
  test('is followed to the code that runs', async () => {
    const implementation = await implementationOf('0.7');
    const known = 'deployed: SimpleAccount 0.7';
    await setCode(sender, `0x363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    expect(await readSender()).toBe(known);
    await setCode(sender, openZeppelin('ERC1967Proxy'), { [implementationSlot]: implementation });
    expect(await readSender()).toBe(known);
    const beacon: Address = getAddress('0x00000000000000000000000000000000000acc02');
    await setCode(beacon, openZeppelin('UpgradeableBeacon'), { [beaconImplementationSlot]: implementation });
    await setCode(sender, openZeppelin('BeaconProxy'), { [beaconSlot]: beacon });
    expect(await readSender()).toBe(known);
    await setCode(beacon, '0x00', {});
    expect(await readSender()).toMatch(new RegExp(`^The code at ${beacon} is not known`));
  });

  test('is read again each time', async () => {
    const [one, other] = [await implementationOf('0.7'), devnet.target.address];
    await setCode(sender, openZeppelin('ERC1967Proxy'), { [implementationSlot]: one });
    const reader = readerOf();
    const read = () => reader.read(operationOf({}), devnet.entryPoints['0.7'], undefined);
    expect(await read()).toMatchObject({ value: { state: 'deployed' } });
    await setCode(sender, openZeppelin('ERC1967Proxy'), { [implementationSlot]: other });
    expect(await read()).toMatchObject({ value: { state: 'unknown', address: other, list: 'implementations' } });
  });

  test('ends somewhere', async () => {
    await setCode(sender, `0x363d3d373d3d3d363d73${sender.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    expect(await readSender()).toMatch(/delegates through more than 3/);
  });
});

test('an EIP-7702 sender is what it delegates to, or what it has authorized itself to be', async () => {
  const file = packageFile('@account-abstraction/contracts-0.8', 'artifacts/Simple7702Account.json');
  const { deployedBytecode } = JSON.parse(readFileSync(file, 'utf8')) as { deployedBytecode: Hex };
  const delegate: Address = getAddress('0x00000000000000000000000000000000000acc03');
  await setCode(delegate, deployedBytecode);
  await setCode(sender, delegationCode(delegate));
  expect(await readSender()).toBe('deployed: Simple7702Account 0.8');
  const eip7702Auth = { address: devnet.target.address, chainId: 0n, nonce: 0n, r: 0n, s: 0n, yParity: 0 } as const;
  expect(await readSender({ eip7702Auth })).toMatch(new RegExp(`^The code at ${devnet.target.address}`));
});

test('a Safe as published is known with its module for ERC-4337 as fallback handler, and with no other', async () => {
  const fallbackHandler: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5';
  const entryPoint = pad(devnet.entryPoints['0.7']);
  const module = addressMade(create2Deployer, concat([safeModuleArtifact('Safe4337Module').bytecode, entryPoint]));
  for (const contract of ['Safe', 'SafeL2']) {
    const { bytecode, deployedBytecode } = safeArtifact(contract);
    const singleton = addressMade(safeSingletonFactory, bytecode);
    await setCode(singleton, deployedBytecode);
    const proxy = safeArtifact('proxies/SafeProxy').deployedBytecode;
    await setCode(sender, proxy, { [pad('0x0')]: singleton, [fallbackHandler]: module });
    expect(await readSender()).toBe('deployed: Safe 1.4.1');
    await setCode(sender, proxy, { [fallbackHandler]: devnet.target.address });
    expect(await readSender()).toMatch(/has the code of Safe 1.4.1, but forwards calls/);
  }
});

test('a Safe is of the kind whose contract it hands calls to', async () => {
  const fallbackHandler: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5';
  const { bytecode, deployedBytecode } = safeArtifact('SafeL2');
  const singleton = addressMade(safeSingletonFactory, bytecode);
  await setCode(singleton, deployedBytecode);
  const proxy = safeArtifact('proxies/SafeProxy').deployedBytecode;
  const readWith = async (handler: Address) => {
    await setCode(sender, proxy, { [pad('0x0')]: singleton, [fallbackHandler]: handler });
    return readSender();
  };
  expect(await readWith('0x22939E839e3c0F479B713eAF95e0df128554AEAd')).toBe(
    'deployed: Safe with multi-chain signatures',
  );
  expect(await readWith('0x7579EE8307284F293B1927136486880611F20002')).toBe('deployed: Safe7579 1');
  expect(await readWith('0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226')).toBe('deployed: Safe 1.4.1');
  const launchpad: Address = '0x7579011aB74c46090561ea277Ba79D510c6C00ff';
  await setCode(launchpad, '0x6001600555');
  await setCode(sender, proxy, { [pad('0x0')]: launchpad, [fallbackHandler]: zeroAddress });
  expect(await readSender()).toBe('deployed: Safe7579 1');
});

describe('the operator', () => {
  test('makes code known by its hash, with immutables masked', async () => {
    await setCode(sender, `0x6001${'11'.repeat(32)}00`);
    const codeHash = keccak256(`0x6001${'00'.repeat(32)}00`);
    const added = { name: 'INFINITISM', version: '1.0.0', codeHash, immutables: [2] };
    expect(await readSender()).toMatch(/is not known/);
    expect(await readSender({}, '0.7', { implementations: [added] })).toMatch(/^deployed: INFINITISM 1.0.0/);
  });

  test('is told of a proxy and of the code behind it at once', async () => {
    const proxy: Hex = '0x6001600255';
    const behind = devnet.target.address;
    await setCode(sender, proxy, { [implementationSlot]: behind });
    const codeBehind = (await devnet.client.getCode({ address: behind })) ?? '0x';
    const reading = await readerOf().read(operationOf({}), devnet.entryPoints['0.7'], undefined);
    expect(reading).toMatchObject({
      value: {
        state: 'unknown',
        list: 'proxies',
        missing: [
          { list: 'proxies', address: sender, codeHash: keccak256(proxy) },
          { list: 'implementations', address: behind, codeHash: keccak256(codeBehind) },
        ],
      },
    });
  });

  test('answers for no code that a factory of theirs leaves unless it is known too', async () => {
    const factory: Address = getAddress('0x00000000000000000000000000000000000acc05');
    await setCode(factory, '0x6001600355');
    const codeHash = keccak256('0x6001600355');
    const added = { factories: [{ name: 'INFINITISM', version: '1.0.0', codeHash }] };
    const operation = operationOf({
      sender: getAddress('0x00000000000000000000000000000000000acc06'),
      initCode: factory,
    });
    const left = async (code: Hex, known: KnownAccountsConfig = added) =>
      readerOf(known).read(operation, devnet.entryPoints['0.7'], {
        code,
        words: {},
        beaconImplementation: zeroAddress,
      });
    const unknown: Hex = '0x6001600455';
    const proxies = [{ list: 'proxies', codeHash: keccak256(unknown) }];
    expect(await left(unknown)).toMatchObject({ value: { state: 'unknown', missing: proxies } });
    expect(await left(unknown, {})).toMatchObject({
      value: { state: 'unknown', missing: [{ list: 'factories', address: factory, codeHash }, ...proxies] },
    });
    const toTarget: Hex = `0x363d3d373d3d3d363d73${devnet.target.address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    expect(await left(toTarget)).toMatchObject({
      value: { state: 'unknown', missing: [{ list: 'implementations', address: devnet.target.address }] },
    });
    expect(await left(openZeppelin('ERC1967Proxy'))).toMatchObject({ value: { state: 'created' } });
  });

  test('answers for factories', async () => {
    const operation = await nextOperation(devnet, newSmartAccount('0.7'), []);
    const factory = devnet.accountFactories['0.7'];
    const code = (await devnet.client.getCode({ address: factory })) ?? '0x';
    const other: Address = getAddress('0x00000000000000000000000000000000000acc04');
    await setCode(other, `${code}00`);
    const created = await readCreatedBy(other, operation.initCode);
    const over = { sender: created, initCode: concat([other, slice(operation.initCode, 20)]) };
    expect(await readSender(over)).toMatch(new RegExp(`^The code at ${other} is not known`));
    const reading = await readerOf().read(operationOf(over), devnet.entryPoints['0.7'], undefined);
    expect(reading).toMatchObject({ value: { kindBehind: { name: 'SimpleAccount 0.7' } } });
    const added = { name: 'INFINITISM', version: '1.0.0', codeHash: keccak256(`${code}00`) };
    expect(await readSender(over, '0.7', { factories: [added] })).toBe('created: SimpleAccount 0.7');
  });

  test.each(['0.7', '0.9'] as const)(
    'answers for no code behind the proxy that a factory of %s makes',
    async (version) => {
      const operation = await nextOperation(devnet, newSmartAccount(version), []);
      const factory = devnet.accountFactories[version];
      const original = (await devnet.client.getCode({ address: factory })) ?? '0x';
      const implementation = await implementationOf(version);
      const published = (await devnet.client.getCode({ address: implementation })) ?? '0x';
      // Other code than published, which does the same.
      await setCode(factory, `${original}00`);
      await setCode(implementation, `${published}00`);
      const { sender: made, initCode } = operation;
      const over = operationOf({ entryPointVersion: version, sender: made, initCode });
      const codeHash = keccak256(`${original}00`);
      const known = { factories: [{ name: 'INFINITISM', version: '1.0.0', codeHash }] };
      const missing = [{ list: 'implementations', address: implementation, codeHash: keccak256(`${published}00`) }];
      const read = (config?: KnownAccountsConfig) =>
        readerOf(config).read(over, devnet.entryPoints[version], undefined);
      expect(await read(known)).toMatchObject({ value: { state: 'unknown', missing } });
      expect(await read()).toMatchObject({
        value: { state: 'unknown', missing: [{ list: 'factories', address: factory, codeHash }, ...missing] },
      });
      await setCode(implementation, published);
      expect(await read(known)).toMatchObject({
        value: { state: 'created', kind: { name: `SimpleAccount ${version}` } },
      });
      await setCode(factory, original);
    },
  );
});

async function readCreatedBy(factory: Address, initCode: Hex): Promise<Address> {
  const { data = '0x' } = await devnet.client.call({ to: factory, data: slice(initCode, 20) });
  return getAddress(slice(data, 12));
}

test('Biconomy SmartAccount 2 is known with a published ECDSA module, or one that the operator adds', async () => {
  const account = await deploy('SmartAccount_v200', [devnet.entryPoints['0.6']]);
  const factory = await deploy('SmartAccountFactory_v200', [account, bundler.address]);
  const module = await deploy('ECDSAOwnershipRegistryModule_v100', []);
  const initOf = (setup: Address) => {
    const abi = parseAbi([
      'function deployCounterFactualAccount(address moduleSetupContract, bytes moduleSetupData, uint256 index) returns (address)',
    ]) satisfies Abi;
    const owner = encodeFunctionData({
      abi: parseAbi(['function initForSmartAccount(address owner)']),
      args: [bundler.address],
    });
    return encodeFunctionData({ abi, args: [setup, owner, 0n] });
  };
  const initCode = concat([factory, initOf(module)]);
  const created = await readCreatedBy(factory, initCode);
  const over = { entryPointVersion: '0.6', sender: created, initCode } as const;
  expect(await readSender(over, '0.6')).toBe('created: Biconomy SmartAccount 2');
  // It makes the same account, and could do other work next to.
  const code = (await devnet.client.getCode({ address: module })) ?? '0x';
  await devnet.client.setCode({ address: module, bytecode: `${code}00` });
  expect(await readSender(over, '0.6')).toMatch(new RegExp(`^The code at ${module} is not known`));
  const codeHash = keccak256(`${code}00`);
  const missing = [{ list: 'helpers', address: module, codeHash }];
  const reading = await readerOf().read(operationOf(over), devnet.entryPoints['0.6'], undefined);
  expect(reading).toMatchObject({ value: { state: 'unknown', missing } });
  expect(await readSender(over, '0.6', { helpers: [{ codeHash }] })).toBe('created: Biconomy SmartAccount 2');
  expect(await readSender(over, '0.6', { helpers: [{ codeHash: keccak256(code) }] })).toMatch(/is not known/);
});

/** What a client asks of a chain before it makes an account that is not there. */
const emptyChain = createPublicClient({
  chain: mainnet,
  transport: custom({ request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : '0x') }),
});

test('the module that clients of Biconomy SmartAccount 2 install by default is known by its code, not by its address', async () => {
  const factory = await deploy('SmartAccountFactory_v200', [
    await deploy('SmartAccount_v200', [devnet.entryPoints['0.6']]),
    bundler.address,
  ]);
  const account = await toBiconomySmartAccount({
    client: emptyChain,
    owners: [bundler],
    entryPoint: { address: devnet.entryPoints['0.6'], version: '0.6' },
    factoryAddress: factory,
    address: sender,
  });
  const { factoryData = '0x' } = await account.getFactoryArgs();
  const code = (await devnet.client.getCode({ address: factory })) ?? '0x';
  const found = createKnownCodeTable().findCreation({ address: factory, code, callData: factoryData });
  const module: Address = '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e';
  // As a node of a public chain has it there.
  const codeHash = '0x7151d0ec59846397acb0a1460c4488c371c192fee09ecd1497c7a00e3332bf4a';
  expect(found).toMatchObject({
    kind: { name: 'Biconomy SmartAccount 2' },
    creation: { runs: [{ address: module, marks: expect.arrayContaining([{ codeHash }]) }] },
  });
  expect(addressesIn(['@biconomy/account', 'dist/_esm/modules/utils/Constants.js'])).toContain(module.toLowerCase());
  // The build on npm is known wherever it is. Its address makes no other code known.
  const initCode = concat([factory, factoryData]);
  const reading = async (bytecode: Hex) => {
    await devnet.client.setCode({ address: module, bytecode });
    const created = await readCreatedBy(factory, initCode);
    return readSender({ entryPointVersion: '0.6', sender: created, initCode }, '0.6');
  };
  const published = await deploy('ECDSAOwnershipRegistryModule_v100', []);
  const onNpm = (await devnet.client.getCode({ address: published })) ?? '0x';
  expect(await reading(onNpm)).toBe('created: Biconomy SmartAccount 2');
  expect(await reading(`${onNpm}00`)).toMatch(new RegExp(`^The code at ${module} is not known`));
});

test('a creation that calls several contracts needs the code of each to be known', async () => {
  const helper = (bytecode: Hex) => ({ bytecode, mark: { codeHash: keccak256(bytecode) } });
  const [bootstrap, validator] = [helper('0x6001'), helper('0x6002')];
  const [at, validatorAt]: readonly Address[] = [
    getAddress('0x0000000000000000000000000000000000b00701'),
    getAddress('0x0000000000000000000000000000000000b00702'),
  ];
  if (at === undefined || validatorAt === undefined) throw new Error('Both are named above.');
  const [kind] = knownAccounts;
  if (kind === undefined) throw new Error('There are known accounts.');
  const parts: CodeParts = {
    client: devnet.client as unknown as ChainClient,
    table: createKnownCodeTable(),
    clock,
    kinds: new LRUCache({ max: 1 }),
    factories: new LRUCache({ max: 1 }),
  };
  const implementation = await implementationOf('0.6');
  const runs = [
    { address: at, marks: [bootstrap.mark] },
    { address: validatorAt, marks: [validator.mark] },
  ];
  const found = { kind, creation: { implementation, runs } };
  const judged = async () =>
    wordOf({
      ok: true,
      value: await judgeCreation(parts, { operation: operationOf({}), entryPoint: devnet.entryPoints['0.6'], found }),
    });
  await setCode(at, bootstrap.bytecode);
  await setCode(validatorAt, validator.bytecode);
  expect(await judged()).toBe('created: SimpleAccount 0.6');
  await setCode(validatorAt, bootstrap.bytecode);
  expect(await judged()).toMatch(new RegExp(`^The code at ${validatorAt} is not known`));
  await setCode(at, '0x6003');
  await setCode(validatorAt, validator.bytecode);
  expect(await judged()).toMatch(new RegExp(`^The code at ${at} is not known`));
});

test('what is masked are operands of PUSH32, which nothing can run', async () => {
  const account = await deploy('SmartAccount_v200', [devnet.entryPoints['0.6']]);
  const deployed = [account, await deploy('SmartAccountFactory_v200', [account, bundler.address])];
  for (const version of entryPointVersions)
    deployed.push(await implementationOf(version), devnet.accountFactories[version]);
  const marks = knownAccounts.flatMap(({ implementations, factories = [] }) => [
    ...implementations,
    ...factories.map(({ mark }) => mark),
  ]);
  for (const address of deployed) {
    const code = (await devnet.client.getCode({ address })) ?? '0x';
    const mark = marks.find((one) => 'codeHash' in one && hasMark(one, { address, code }));
    const immutables = mark !== undefined && 'immutables' in mark ? (mark.immutables ?? []) : [];
    expect(immutables.length, address).toBeGreaterThan(0);
    for (const offset of immutables) expect(slice(code, offset - 1, offset)).toBe('0x7f');
  }
});

/** Deploys a contract from the creation code that `@biconomy/common` has. */
async function deploy(name: string, args: readonly Address[]): Promise<Address> {
  const folder = `dist/src/typechain/factories/biconomy_v2.0.0/${name}__factory.js`;
  const text = readFileSync(packageFile('@biconomy/common', folder), 'utf8');
  const [, creationCode] = /_bytecode\s*=\s*"(0x[0-9a-f]+)"/.exec(text) ?? [];
  const words = encodeAbiParameters(
    args.map(() => ({ type: 'address' })),
    args,
  );
  const { client } = devnet;
  const data = concat([creationCode as Hex, words]);
  const hash = await client.sendTransaction({ account: bundler, chain: client.chain, data, gas: 10_000_000n });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${name} was not deployed.`);
  return getAddress(contractAddress);
}

test('where the node does not tell, nothing is known', async () => {
  const client = { request: async () => Promise.reject(new Error('no')) } as unknown as ChainClient;
  const reader = createAccountReader({ client, known: undefined, clock });
  const reading = await reader.read(operationOf({ nonce: 1n }), devnet.entryPoints['0.7'], undefined);
  expect(reading).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
});
