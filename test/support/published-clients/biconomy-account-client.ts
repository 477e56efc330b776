import {
  type BiconomySmartAccountV2,
  createECDSAOwnershipValidationModule,
  createSmartAccountClient,
} from '@biconomy/account';
import { type Address, createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { freshKey } from '../service/running-service.ts';
import type { ClientLab } from './client-lab.ts';
import type { BiconomyContracts } from './deploy-biconomy-account.ts';

const factoryAbi = parseAbi([
  'function getAddressForCounterFactualAccount(address module, bytes setupData, uint256 index) view returns (address)',
]);
const moduleAbi = parseAbi(['function initForSmartAccount(address owner)']);

export type BiconomyAccount = { readonly client: BiconomySmartAccountV2; readonly address: Address };

/**
 * A new Biconomy account with the client of `@biconomy/account`. It is told where the contracts are, since they are not at
 * their usual addresses, and the two addresses it talks to. Everything else is its own default; the chain id it reads from
 * the addresses.
 */
export async function newBiconomyAccount(
  { devnet, bundler }: Pick<ClientLab, 'devnet' | 'bundler'>,
  contracts: BiconomyContracts,
  paymasterUrl: string,
): Promise<BiconomyAccount> {
  const owner = privateKeyToAccount(freshKey());
  const signer = createWalletClient({ account: owner, chain: devnet.client.chain, transport: http(devnet.rpcUrl) });
  const setup = encodeFunctionData({ abi: moduleAbi, args: [owner.address] });
  const address = await devnet.client.readContract({
    address: contracts.factory,
    abi: factoryAbi,
    functionName: 'getAddressForCounterFactualAccount',
    args: [contracts.ecdsaModule, setup, 0n],
  });
  const ecdsaModule = await createECDSAOwnershipValidationModule({ signer, moduleAddress: contracts.ecdsaModule });
  const client = await createSmartAccountClient({
    signer,
    bundlerUrl: bundler.url,
    paymasterUrl,
    customChain: devnet.client.chain,
    rpcUrl: devnet.rpcUrl,
    accountAddress: address,
    factoryAddress: contracts.factory,
    implementationAddress: contracts.implementation,
    defaultFallbackHandler: contracts.fallbackHandler,
    defaultValidationModule: ecdsaModule,
    activeValidationModule: ecdsaModule,
  });
  return { client, address };
}
