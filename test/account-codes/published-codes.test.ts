import { readFileSync } from 'node:fs';
import { type Address, getAddress, getCreate2Address, type Hex, keccak256, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { create2Deployer } from '../../clients/cli/dev/devnet/deployments.ts';
import { devPackageFile } from '../../clients/cli/dev/devnet/dev-package.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import type { CodeMark } from '../../core/evm/account-codes/known-code.ts';
import { createKnownCodeTable } from '../../core/evm/account-codes/known-code-table.ts';
import { beaconSlot, implementationSlot, knownBeaconHashes } from '../../core/evm/account-codes/known-proxies.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';

const table = createKnownCodeTable();
const artifactSchema = z.object({ deployedBytecode: z.templateLiteral(['0x', z.string()]) });

function publishedCode(name: string, file: string): Hex {
  return artifactSchema.parse(JSON.parse(readFileSync(devPackageFile(name, file), 'utf8'))).deployedBytecode;
}

function kindOf(code: Hex): string | undefined {
  return table.findKind({ address: zeroAddress, code })?.name;
}

describe('code of the published packages, whose immutables are zeros there', () => {
  test.each(['0.6', '0.7', '0.8'])('SimpleAccount and its factory of %s', (version) => {
    const artifact = (contract: string) =>
      publishedCode(`@account-abstraction/contracts-${version}`, `artifacts/${contract}.json`);
    expect(kindOf(artifact('SimpleAccount'))).toBe(`SimpleAccount ${version}`);
    const place = { address: zeroAddress, code: artifact('SimpleAccountFactory') };
    expect(table.findCreation({ ...place, callData: '0x' })).toBe('other');
  });

  test('Simple7702Account', () => {
    const code = publishedCode('@account-abstraction/contracts-0.8', 'artifacts/Simple7702Account.json');
    expect(kindOf(code)).toBe('Simple7702Account 0.8');
  });

  test('proxies and beacon of OpenZeppelin, and the minimal proxy of Solady', () => {
    const openZeppelin = (contract: string) =>
      publishedCode('@openzeppelin/contracts-4', `build/contracts/${contract}.json`);
    expect(table.findDelegation(openZeppelin('ERC1967Proxy'))).toMatchObject({ slot: implementationSlot });
    expect(table.findDelegation(openZeppelin('BeaconProxy'))).toMatchObject({ slot: beaconSlot, through: 'beacon' });
    expect(knownBeaconHashes).toContain(keccak256(openZeppelin('UpgradeableBeacon')));
    const minimal =
      `0x363d3d373d3d363d7f${implementationSlot.slice(2)}545af43d6000803e6038573d6000fd5b3d6000f3` as const;
    const library = readFileSync(devPackageFile('solady', 'src/utils/LibClone.sol'), 'utf8');
    expect(library).toMatch(new RegExp(`ERC1967_CODE_HASH =\\s+${keccak256(minimal)};`));
    expect(table.findDelegation(minimal)).toMatchObject({ slot: implementationSlot });
  });

  test('one byte more, or one other, is other code', () => {
    const code = publishedCode('@account-abstraction/contracts-0.7', 'artifacts/SimpleAccount.json');
    expect(kindOf(`${code}00`)).toBeUndefined();
    expect(kindOf(`0x61${code.slice(4)}`)).toBeUndefined();
  });
});

describe('addresses', () => {
  /** Packages that name the addresses at which CREATE2 puts the published contracts. */
  const sources = [
    devPackageFile('permissionless', 'accounts/safe/toSafeSmartAccount.ts'),
    devPackageFile('permissionless', 'accounts/kernel/toKernelSmartAccount.ts'),
    devPackageFile('permissionless', 'accounts/light/toLightSmartAccount.ts'),
    devPackageFile('viem', 'account-abstraction/accounts/implementations/toSimple7702SmartAccount.ts'),
    devPackageFile('viem', 'account-abstraction/accounts/implementations/toCoinbaseSmartAccount.ts'),
    devPackageFile('@biconomy/abstractjs', 'dist/_esm/constants/index.js'),
  ]
    .map((file) => readFileSync(file, 'utf8').toLowerCase())
    .join('\n');
  /** Implementations that those packages leave to the factory beside them. */
  const besideFactories: readonly Address[] = [
    '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762', // SafeL2 1.4.1
    '0x000100abaad02f1cfC8Bbe32bD5a564817339E72', // Coinbase Smart Wallet 1.0
    '0x00000110dCdEdC9581cb5eCB8467282f2926534d', // Coinbase Smart Wallet 1.1
    '0x8E8e658E22B12ada97B402fF0b044D6A325013C7', // LightAccount 2.0
  ];
  const marks: readonly CodeMark[] = knownAccounts.flatMap(({ implementations, factories = [] }) => [
    ...implementations,
    ...factories.map(({ mark }) => mark),
  ]);
  const addresses = marks.flatMap((mark) => ('address' in mark ? [mark.address] : []));

  test('are those of the published clients', () => {
    const unnamed = [...new Set(addresses)].filter((address) => !sources.includes(address.toLowerCase()));
    expect(unnamed.sort()).toEqual([...besideFactories].sort());
  });

  test('are made of the code, where the package has it', () => {
    const file = devPackageFile('@account-abstraction/contracts-0.8', 'artifacts/Simple7702Account.json');
    const { bytecode } = z
      .object({ bytecode: z.templateLiteral(['0x', z.string()]) })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    const made = getCreate2Address({ from: create2Deployer, salt: `0x${'00'.repeat(32)}`, bytecode });
    expect(addresses).toContain(made);
  });

  test('have their checksums, as addresses that are read from the chain do', () => {
    const required = knownAccounts.flatMap(({ requires = [] }) => requires.flatMap(({ oneOf }) => oneOf));
    for (const address of [...addresses, ...required]) expect(getAddress(address)).toBe(address);
  });
});

test('every kind is read by decoders that there are', () => {
  for (const { decoders } of knownAccounts) {
    expect(decoders.length).toBeGreaterThan(0);
    for (const { name, version } of decoders) expect(findAccountDecoder(name, version), name).toBeDefined();
  }
});
