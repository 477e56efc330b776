import { readFileSync } from 'node:fs';
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { type Address, concat, encodeFunctionData, type Hex, keccak256, parseAbi, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import {
  beaconSlot,
  implementationSlot,
  knownBeaconHashes,
  knownProxies,
} from '../../core/evm/account-codes/find-in-catalogue.ts';
import { createKnownCodeTable } from '../../core/evm/account-codes/known-code-table.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import {
  importPublished,
  readArtifact,
  safe150Artifact,
  safeArtifact,
} from '../support/accounts/published-packages.ts';
import { bundler, newSmartAccount, nextOperation } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { packageFile } from '../support/packages/pack.ts';
import { deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';
import { initCodeOf } from '../support/published-clients/init-code-of.ts';
import { chainClient } from '../support/service/client-lab.ts';
import { createAccount } from './create-account.ts';

const table = createKnownCodeTable();
/** The factory of Kernel 2. Its proxies let it set their implementation, which it does while it creates them. */
const kernel2Factory = '5de4839a76cf55d0c90e2061ef4386d962e15ae3';
const kernel2: Hex = `0x3d3d3373${kernel2Factory}14605757363d3d37363d7f${implementationSlot.slice(2)}545af43d6000803e6052573d6000fd5b3d6000f35b3d356020355560408036111560525736038060403d373d3d355af43d6000803e6052573d6000fd`;
const minimal: Hex = `0x363d3d373d3d363d7f${implementationSlot.slice(2)}545af43d6000803e6038573d6000fd5b3d6000f3`;

let devnet: Devnet;
beforeAll(async () => {
  devnet = await leaseDevnet();
});
afterAll(() => devnet.close());

async function codeAt(address: Address): Promise<Hex> {
  return (await devnet.client.getCode({ address })) ?? '0x';
}

type Proxy = { readonly proxy: string; readonly code: () => Hex | Promise<Hex>; readonly slot: string };

/**
 * What the factories of LightAccount 1.1, of Modular Account 1 and of Circle make. The first two have their creation code in the broadcast files of their
 * repositories (`broadcast/Deploy_LightAccountFactory.s.sol/1/run-1704925372.json` and `broadcast/Deploy.s.sol/1/run-1707343636.json`).
 * Circle's is in
 * `script/bytecode-deploy/build-output/ERC1967Proxy.json`. With its salt it makes the published addresses. No package has it.
 */
const broadcastProxies: readonly Hex[] = [
  '0xb26a7586edc0cc4bfd2e1ed67ec8f0eeb5673658683376175868e1e0d635a21d',
  '0x49aea3a95a51b32d1e6fd229840c38521e3b4680b0a6c013494091be0e530b6c',
  '0xdc545aecaebc660c48db5d60ecad89617c6f9146f5b1ccb8e4085e444b09a19f',
];

/** The proxies of published packages, as they have them or as their factories make them. */
const proxies: readonly Proxy[] = [
  ...entryPointVersions.map((version) => ({
    proxy: `that of SimpleAccountFactory ${version}`,
    code: () => simpleAccount(version),
    slot: implementationSlot,
  })),
  { proxy: 'ERC1967Proxy of OpenZeppelin', code: () => openZeppelin('ERC1967Proxy'), slot: implementationSlot },
  { proxy: 'BeaconProxy of OpenZeppelin', code: () => openZeppelin('BeaconProxy'), slot: beaconSlot },
  { proxy: 'the minimal one of Solady', code: () => minimal, slot: implementationSlot },
  { proxy: 'that of the factory of Kernel 2', code: () => kernel2, slot: implementationSlot },
  {
    proxy: 'SafeProxy',
    code: () => safeArtifact('proxies/SafeProxy').deployedBytecode,
    slot: `0x${'0'.repeat(64)}`,
  },
  {
    proxy: 'SafeProxy 1.5.0',
    code: () => safe150Artifact('proxies/SafeProxy').deployedBytecode,
    slot: `0x${'0'.repeat(64)}`,
  },
  { proxy: "that of Biconomy's SmartAccountFactory", code: biconomyAccount, slot: 'own-address' },
  { proxy: 'NexusProxy', code: () => rhinestoneProxy('nexus'), slot: implementationSlot },
  { proxy: 'AccountProxy of Startale', code: () => rhinestoneProxy('startale'), slot: implementationSlot },
  { proxy: "that of MetaMask's kit", code: metamaskAccount, slot: implementationSlot },
];

function openZeppelin(contract: string): Hex {
  return readArtifact('@openzeppelin/contracts-4', `build/contracts/${contract}.json`).deployedBytecode;
}

async function simpleAccount(version: EntryPointVersion): Promise<Hex> {
  const { sender, initCode } = await nextOperation(devnet, newSmartAccount(version), []);
  await createAccount(devnet, initCode, version);
  return codeAt(sender);
}

async function biconomyAccount(): Promise<Hex> {
  const { factory, ecdsaModule } = await deployBiconomyAccount(devnet);
  const abi = parseAbi([
    'function deployCounterFactualAccount(address moduleSetupContract, bytes moduleSetupData, uint256 index) returns (address)',
    'function initForSmartAccount(address owner)',
  ]);
  const setup = encodeFunctionData({ abi, functionName: 'initForSmartAccount', args: [bundler.address] });
  const { client } = devnet;
  const made = {
    address: factory,
    abi,
    functionName: 'deployCounterFactualAccount',
    args: [ecdsaModule, setup, 0n],
    account: bundler,
    chain: client.chain,
  } as const;
  const { result: account } = await client.simulateContract(made);
  await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...made, gas: 2_000_000n }) });
  return codeAt(account);
}

async function metamaskAccount(): Promise<Hex> {
  const account = await toMetaMaskSmartAccount({
    client: chainClient(devnet),
    implementation: Implementation.MultiSig,
    deployParams: [[bundler.address], 1n],
    deploySalt: '0x',
    signer: [{ account: bundler }],
    environment: await deployMetaMask(devnet),
  });
  await createAccount(devnet, await initCodeOf(account), '0.7');
  return codeAt(account.address);
}

/** The one that Nexus 1.2 has, or Startale, from the creation code by which a client computes addresses. */
async function rhinestoneProxy(account: 'nexus' | 'startale'): Promise<Hex> {
  const text = readFileSync(packageFile('@rhinestone/sdk', `dist/src/accounts/${account}.js`), 'utf8');
  const [, creationCode] = /CREATION_CODE = '(0x[0-9a-f]+)'/.exec(text) ?? [];
  const { client, tokens } = devnet;
  const [token] = tokens;
  if (token === undefined || creationCode === undefined) throw new Error('The token or the creation code is missing.');
  // It calls its implementation while it is made; a token takes an approval of nothing.
  const abi = parseAbi(['constructor(address implementation, bytes data)', 'function approve(address, uint256)']);
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [bundler.address, 0n] });
  const deployment = { abi, bytecode: creationCode as Hex, args: [token.address, data] } as const;
  const hash = await client.deployContract({ ...deployment, account: bundler, chain: client.chain, gas: 2_000_000n });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return codeAt(contractAddress ?? bundler.address);
}

describe('a published proxy is known:', () => {
  const codes = new Map<string, Promise<Hex>>();
  const codeOf = ({ proxy, code }: Proxy) => {
    const there = codes.get(proxy) ?? Promise.resolve(code());
    codes.set(proxy, there);
    return there;
  };

  test.each(proxies.map((each) => [each.proxy, each] as const))('%s', async (_name, proxy) => {
    expect(table.findDelegation(await codeOf(proxy))).toMatchObject({ slot: proxy.slot });
  });

  test('and no other one', async () => {
    const published = await Promise.all(proxies.map(async (proxy) => keccak256(await codeOf(proxy))));
    expect([...new Set(knownProxies.map(({ mark }) => mark.codeHash))].sort()).toEqual(
      [...new Set([...published, ...broadcastProxies])].sort(),
    );
    expect(knownBeaconHashes).toEqual([keccak256(openZeppelin('UpgradeableBeacon'))]);
  });

  test('the constant of Solady is the hash of the minimal one', () => {
    const library = readFileSync(packageFile('solady', 'src/utils/LibClone.sol'), 'utf8');
    expect(library).toMatch(new RegExp(`ERC1967_CODE_HASH =\\s+${keccak256(minimal)};`));
  });
});

test('the factory of Kernel 2 makes its proxies of the code that is known', async () => {
  const { FACTORY_ADDRESS_V0_6_INIT_CODE_HASH: published } = await importPublished('@zerodev/sdk', '_esm/constants.js');
  const codeBytes = size(kernel2).toString(16);
  // The factory takes one byte more than there is.
  expect(keccak256(concat([`0x60${codeBytes}3d8160093d39f3`, kernel2, '0x00']))).toBe(published);
});

test('the factories of Kernel 3 make minimal proxies of the implementation that is known', async () => {
  const { KernelVersionToAddressesMap } = await importPublished('@zerodev/sdk', '_esm/constants.js');
  const word = z.templateLiteral(['0x', z.string()]);
  const versions = z
    .record(z.string(), z.object({ accountImplementationAddress: word, initCodeHash: word.optional() }))
    .parse(KernelVersionToAddressesMap);
  const kernels3 = Object.entries(versions).filter(([version]) => version.startsWith('0.3.'));
  expect(kernels3.length).toBeGreaterThan(0);
  for (const [version, { accountImplementationAddress, initCodeHash }] of kernels3) {
    // LibClone.initCodeERC1967 of Solady: the implementation into its slot, then the minimal proxy's code.
    const store: Hex = `0x60095155f3`;
    const initCode = concat(['0x603d3d8160223d3973', accountImplementationAddress, store, minimal]);
    expect(keccak256(initCode), version).toBe(initCodeHash);
  }
});
