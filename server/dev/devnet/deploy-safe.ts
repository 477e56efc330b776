import { readFileSync } from 'node:fs';
import { type Address, concat, getCreate2Address, type Hex, pad } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { z } from 'zod';
import { entryPointAddresses } from '../../../core/domain/entry-point-version.ts';
import { deploymentProxy, zeroSalt } from '../../../core/evm/deployment-proxy.ts';
import { tankFunderBytecode } from '../../../core/evm/tank-funder/tank-funder.generated.ts';
import { tankFunderAddress } from '../../../core/evm/tank-funder/tank-funder.ts';
import { create2Deployer, devPackageFile } from './deployments.ts';
import { type DevnetClient, sendInOrder } from './devnet-client.ts';

const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });
/** The deployer of the Safe contracts: a copy of the one that the chain has. */
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

/** The contracts that turn a Safe into an account of EntryPoint 0.7. */
export type SafeModules = { readonly safe4337ModuleAddress: Address; readonly safeModulesSetupAddress: Address };

/** Creation code with salt zero, and its deployer. */
type Creation = { readonly through: Address; readonly code: Hex };

function addressOf({ through, code }: Creation): Address {
  return getCreate2Address({ from: through, salt, bytecode: code });
}

/** Deploys Safe 1.4.1 and its module 0.3.0, from Safe's packages, at their usual addresses. Existing contracts stay. */
export async function deploySafe(client: DevnetClient, sender: LocalAccount): Promise<SafeModules> {
  const bytecode = await client.getCode({ address: create2Deployer });
  if (bytecode === undefined) throw new Error('The chain has no deployer.');
  await client.setCode({ address: singletonFactory, bytecode });
  const entryPoint = pad(entryPointAddresses['0.7']);
  const module = {
    through: create2Deployer,
    code: concat([creationCode('@safe-global/safe-4337', 'Safe4337Module'), entryPoint]),
  };
  const setup = { through: create2Deployer, code: creationCode('@safe-global/safe-4337', 'SafeModuleSetup') };
  const safes = contracts.map((path) => ({
    through: singletonFactory,
    code: creationCode('@safe-global/safe-contracts', path),
  }));
  const creations = [...safes, module, setup];
  const codes = await Promise.all(creations.map((creation) => client.getCode({ address: addressOf(creation) })));
  await sendInOrder(
    client,
    sender,
    creations
      .filter((_, index) => codes[index] === undefined)
      .map(({ through, code }) => ({
        description: 'a contract of Safe',
        to: through,
        data: concat([salt, code]),
      })),
  );
  return { safe4337ModuleAddress: addressOf(module), safeModulesSetupAddress: addressOf(setup) };
}

/** Deploys the tank funder, with which Safes and other contracts fill gas tanks. Sends nothing if it exists already. */
export async function placeTankFunder(client: DevnetClient, sender: LocalAccount): Promise<void> {
  if ((await client.getCode({ address: tankFunderAddress })) !== undefined) return;
  const data = concat([zeroSalt, tankFunderBytecode]);
  await sendInOrder(client, sender, [{ description: 'the tank funder', to: deploymentProxy, data }]);
}
