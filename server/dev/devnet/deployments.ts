import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Address, concat, encodeAbiParameters, encodeDeployData, getCreate2Address, type Hex, isHex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { z } from 'zod';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import { type EntryPointVersion, entryPointAddresses } from '../../../core/domain/entry-point-version.ts';
import {
  tollfreePaymasterAbi,
  tollfreePaymasterBytecode,
} from '../../paymaster-contract/tollfree-paymaster.generated.ts';
import { devTargetBytecode, devTokenAbi, devTokenBytecode } from './contracts.generated.ts';
import { devnetFamilies } from './devnet.ts';
import { type DevnetClient, sendInOrder } from './devnet-client.ts';

/** The keyless CREATE2 deployer: 32 bytes of salt, then the creation code. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const zeroSalt: Hex = `0x${'00'.repeat(32)}`;

/**
 * The salts with which the published creation code gets the canonical addresses. A version without one is put at its address
 * as if it had been deployed there: 0.9 on npm is a release candidate, for which no such salt exists.
 */
const entryPointSalts: Readonly<Partial<Record<EntryPointVersion, Hex>>> = {
  '0.6': zeroSalt,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
};

/** A contract to deploy with the CREATE2 deployer. */
export type Deployment = {
  readonly name: string;
  readonly address: Address;
  readonly salt: Hex;
  readonly creationCode: Hex;
};

function deployment(name: string, creationCode: Hex, salt: Hex = zeroSalt): Deployment {
  return {
    name,
    salt,
    creationCode,
    address: getCreate2Address({ from: create2Deployer, salt, bytecode: creationCode }),
  };
}

const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });

function readCreationCode(version: EntryPointVersion, contract: string): Hex {
  const file = devPackageFile(`@account-abstraction/contracts-${version}`, `artifacts/${contract}.json`);
  return artifactSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).bytecode;
}

/** The creation code of an EntryPoint version on npm. */
export function readEntryPoint(version: EntryPointVersion): Hex {
  return readCreationCode(version, 'EntryPoint');
}

/** The published EntryPoint of a version, at its canonical address; undefined if no deployment gets that address. */
export function entryPointDeployment(version: EntryPointVersion): Deployment | undefined {
  const salt = entryPointSalts[version];
  return salt === undefined ? undefined : deployment(`EntryPoint ${version}`, readEntryPoint(version), salt);
}

/** The published SimpleAccountFactory of a version, made for the canonical EntryPoint. */
export function accountFactoryDeployment(version: EntryPointVersion): Deployment {
  const argument = encodeAbiParameters([{ type: 'address' }], [entryPointAddresses[version]]);
  const creationCode = concat([readCreationCode(version, 'SimpleAccountFactory'), argument]);
  return deployment(`SimpleAccountFactory ${version}`, creationCode);
}

/** The published Simple7702Account of EntryPoint 0.8, at the address that clients expect, as a delegate of senders. */
export function simple7702Deployment(): Deployment {
  return deployment('Simple7702Account', readCreationCode('0.8', 'Simple7702Account'));
}

/**
 * The published Simple7702Account of EntryPoint 0.9, at the address that viem takes for it. It was deployed there from other
 * code than npm's release candidate, so it is put there.
 */
export function simple7702Of09(): { readonly address: Address; readonly creationCode: Hex } {
  const argument = encodeAbiParameters([{ type: 'address' }], [entryPointAddresses['0.9']]);
  return {
    address: '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5',
    creationCode: concat([readCreationCode('0.9', 'Simple7702Account'), argument]),
  };
}

/** The paymaster contract of a family, with `owner` as its owner, manager and only signer. */
export async function paymasterDeployment(version: EntryPointVersion, owner: Address): Promise<Deployment> {
  const family = devnetFamilies[version];
  const creationCode = family.startsWith('tollfree')
    ? encodeDeployData({
        abi: tollfreePaymasterAbi,
        bytecode: tollfreePaymasterBytecode,
        args: [entryPointAddresses[version], owner, [owner]],
      })
    : await singletonCode(version, owner);
  return deployment(family, creationCode);
}

/** The Pimlico singleton paymaster of a version. */
async function singletonCode(version: EntryPointVersion, owner: Address): Promise<Hex> {
  const file = devPackageFile('@pimlico/mock-paymaster', '_esm/constants.js');
  const constants: object = await import(pathToFileURL(file).href);
  const makeInitCode: unknown = Reflect.get(constants, `getSingletonPaymaster${version.replace('.', '')}InitCode`);
  const creationCode: unknown = typeof makeInitCode === 'function' ? makeInitCode(owner) : undefined;
  if (!isHex(creationCode)) throw new Error(`${file} has no paymaster for EntryPoint ${version}.`);
  return creationCode;
}

/** An open-mint ERC-20 token of the development chain. */
export function tokenDeployment(token: { name: string; symbol: string; decimals: number }): Deployment {
  const creationCode = encodeDeployData({
    abi: devTokenAbi,
    bytecode: devTokenBytecode,
    args: [token.name, token.symbol, token.decimals],
  });
  return deployment(`token ${token.symbol}`, creationCode);
}

/** The target of sponsored calls. */
export function targetDeployment(): Deployment {
  return deployment('target contract', devTargetBytecode);
}

const requireHere = createRequire(import.meta.url);

/**
 * Path of a file inside an installed package, bypassing its `exports`. A production install lacks development packages, so a
 * missing one is reported as a sentence.
 */
export function devPackageFile(packageName: string, file: string): string {
  for (const directory of requireHere.resolve.paths(packageName) ?? []) {
    const root = join(directory, packageName);
    try {
      readFileSync(join(root, 'package.json'));
    } catch {
      continue;
    }
    return join(root, file);
  }
  throw mistake(
    `\`tollfree dev\` needs the package ${packageName}, which is not installed. In a clone run \`npm ci\`; next to an installed tollfree run \`npm install ./tollfree-development-chain-<version>.tgz\` of the same release.`,
  );
}

/** Enough for the constructor, which creates the SenderCreator. */
const constructionGas = 5_000_000n;

/**
 * Installs a contract at an address that does not follow from its code, as if it had been deployed there: its creation
 * code is put at the address and called, so that everything the constructor creates and stores matches the address. Requires
 * a development node. What is there already stays.
 */
export async function placeContract(
  client: DevnetClient,
  deployer: LocalAccount,
  { address, creationCode }: { readonly address: Address; readonly creationCode: Hex },
): Promise<void> {
  if ((await client.getCode({ address })) !== undefined) return;
  try {
    await client.setCode({ address, bytecode: creationCode });
    // A contract's first creation has nonce 1 (EIP-161).
    await client.setNonce({ address, nonce: 1 });
  } catch (error) {
    throw mistake('The node cannot set code at an address, so it is not a development node (anvil, hardhat).', error);
  }
  const { data: runtimeCode } = await client.call({ to: address, gas: constructionGas });
  if (runtimeCode === undefined) throw tryAgain(`The contract for ${address} could not be made.`);
  await sendInOrder(client, deployer, [
    { description: `making the contract ${address}`, to: address, gas: constructionGas },
  ]);
  await client.setCode({ address, bytecode: runtimeCode });
}
