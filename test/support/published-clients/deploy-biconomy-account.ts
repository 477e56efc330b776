import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { create2Deployer } from '../../../clients/cli/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../../clients/cli/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../clients/cli/dev/devnet/send-in-order.ts';
import { compileBiconomyAccount } from './compile-biconomy-account.ts';

/** Where the contracts of Biconomy's smart account v2 are on a development chain. */
export type BiconomyContracts = {
  readonly implementation: Address;
  readonly factory: Address;
  readonly fallbackHandler: Address;
  readonly ecdsaModule: Address;
};

const salt: Hex = `0x${'00'.repeat(32)}`;
const factoryAbi = parseAbi(['function minimalHandler() view returns (address)']);

/** Compiles the published contracts and puts them on the chain. */
export async function deployBiconomyAccount(devnet: Devnet): Promise<BiconomyContracts> {
  const compiled = compileBiconomyAccount();
  const deployer = privateKeyToAccount(deriveDevKey(0));
  const words = (...addresses: readonly Address[]) =>
    encodeAbiParameters(
      addresses.map(() => ({ type: 'address' })),
      addresses,
    );
  const create = async (description: string, creationCode: Hex): Promise<Address> => {
    const data = concat([salt, creationCode]);
    await sendInOrder(devnet.client, deployer, [{ description, to: create2Deployer, data, gas: 10_000_000n }]);
    return getCreate2Address({ from: create2Deployer, salt, bytecode: creationCode });
  };

  const { SmartAccount, SmartAccountFactory, EcdsaOwnershipRegistryModule } = compiled;
  const entryPoint = devnet.entryPoints['0.6'];
  const implementation = await create('the account', concat([SmartAccount.creationCode, words(entryPoint)]));
  const factory = await create(
    'the factory',
    concat([SmartAccountFactory.creationCode, words(implementation, deployer.address)]),
  );
  const ecdsaModule = await create('the ECDSA module', EcdsaOwnershipRegistryModule.creationCode);
  const fallbackHandler = await devnet.client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'minimalHandler',
  });
  return { implementation, factory, fallbackHandler, ecdsaModule };
}
