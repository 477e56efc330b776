import { readFileSync } from 'node:fs';
import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { create2Deployer } from '../../../server/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { packageFile } from '../packages/pack.ts';

/** Where the contracts of Biconomy's smart account v2 are on a development chain. */
export type BiconomyContracts = {
  readonly implementation: Address;
  readonly factory: Address;
  readonly fallbackHandler: Address;
  readonly ecdsaModule: Address;
};

const salt: Hex = `0x${'00'.repeat(32)}`;
const factoryAbi = parseAbi(['function minimalHandler() view returns (address)']);

/** The creation code of a contract that `@biconomy/common` has. */
export function biconomyCreationCode(name: string): Hex {
  const file = packageFile('@biconomy/common', `dist/src/typechain/factories/biconomy_v2.0.0/${name}__factory.js`);
  const [, code] = /_bytecode\s*=\s*"(0x[0-9a-f]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
  if (code === undefined) throw new Error(`${file} has no creation code.`);
  return code as Hex; // of that form
}

/** Puts the published contracts on the chain. */
export async function deployBiconomyAccount(devnet: Devnet): Promise<BiconomyContracts> {
  const deployer = privateKeyToAccount(deriveDevKey(0));
  const words = (...addresses: readonly Address[]) =>
    encodeAbiParameters(
      addresses.map(() => ({ type: 'address' })),
      addresses,
    );
  const create = async (description: string, bytecode: Hex): Promise<Address> => {
    const data = concat([salt, bytecode]);
    await sendInOrder(devnet.client, deployer, [{ description, to: create2Deployer, data }]);
    return getCreate2Address({ from: create2Deployer, salt, bytecode });
  };

  const entryPoint = devnet.entryPoints['0.6'];
  const implementation = await create(
    'the account',
    concat([biconomyCreationCode('SmartAccount_v200'), words(entryPoint)]),
  );
  const factory = await create(
    'the factory',
    concat([biconomyCreationCode('SmartAccountFactory_v200'), words(implementation, deployer.address)]),
  );
  const ecdsaModule = await create('the ECDSA module', biconomyCreationCode('ECDSAOwnershipRegistryModule_v100'));
  const fallbackHandler = await devnet.client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'minimalHandler',
  });
  return { implementation, factory, fallbackHandler, ecdsaModule };
}
