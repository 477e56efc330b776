import { readFileSync } from 'node:fs';
import { type Address, concat, getCreate2Address, type Hex, pad } from 'viem';
import { z } from 'zod';
import { create2Deployer } from '../../../clients/cli/dev/devnet/deployments.ts';
import { devPackageFile } from '../../../clients/cli/dev/devnet/dev-package.ts';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../clients/cli/dev/devnet/send-in-order.ts';
import { bundler } from '../chain/chain-lab.ts';

const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });
/** Through which the Safe contracts are put on chains: a copy of the deployer that the chain has. */
const singletonFactory: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';
const salt: Hex = `0x${'00'.repeat(32)}`;
const contracts = [
  'Safe',
  'SafeL2',
  'proxies/SafeProxyFactory',
  'libraries/MultiSend',
  'libraries/MultiSendCallOnly',
  'libraries/CreateCall',
  'libraries/SignMessageLib',
  'handler/CompatibilityFallbackHandler',
  'accessors/SimulateTxAccessor',
];

function creationCode(packageName: string, path: string): Hex {
  const file = `build/artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`;
  return artifactSchema.parse(JSON.parse(readFileSync(devPackageFile(packageName, file), 'utf8'))).bytecode;
}

/** What turns a Safe into an account of EntryPoint 0.7. */
export type SafeModules = { readonly safe4337ModuleAddress: Address; readonly safeModulesSetupAddress: Address };

/** Puts Safe 1.4.1 and its module 0.3.0, from the packages of their maker, where they are on any chain. */
export async function deploySafe({ client, entryPoints }: Devnet): Promise<SafeModules> {
  const bytecode = await client.getCode({ address: create2Deployer });
  if (bytecode === undefined) throw new Error('The chain has no deployer.');
  await client.setCode({ address: singletonFactory, bytecode });
  const module = concat([creationCode('@safe-global/safe-4337', 'Safe4337Module'), pad(entryPoints['0.7'])]);
  const setup = creationCode('@safe-global/safe-4337', 'SafeModuleSetup');
  const safes = contracts.map((path) => creationCode('@safe-global/safe-contracts', path));
  await sendInOrder(client, bundler, [
    ...safes.map((code) => ({
      description: 'Safe',
      to: singletonFactory,
      data: concat([salt, code]),
      gas: 8_000_000n,
    })),
    ...[module, setup].map((code) => ({
      description: 'a module',
      to: create2Deployer,
      data: concat([salt, code]),
      gas: 8_000_000n,
    })),
  ]);
  const at = (bytecode: Hex) => getCreate2Address({ from: create2Deployer, salt, bytecode });
  return { safe4337ModuleAddress: at(module), safeModulesSetupAddress: at(setup) };
}
