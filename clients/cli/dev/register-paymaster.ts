import type { ManagementClient } from '@tollfree/sdk/management';
import { encodeFunctionData, formatEther, type Hex, parseAbi, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from './dev-core-config.ts';
import type { DevPaymaster } from './dev-file.ts';
import { type Devnet, devnetFamilies } from './devnet/devnet.ts';
import { sendInOrder } from './devnet/send-in-order.ts';

/** What every development paymaster gets into its gas tank. */
const deposit = parseEther('100');
const depositAbi = parseAbi(['function depositTo(address account) payable']);

/** Methods of the target contract that are sponsored. `fail` is left out, so that a refusal can be seen. */
const sponsoredMethods = ['increment', 'record', 'pay'];

/**
 * Registers a paymaster through the management interface, lets it sponsor the target contract, makes `fundingKey` its
 * funding wallet and puts coin into its gas tank with that wallet.
 */
export async function registerPaymaster(
  parts: { devnet: Devnet; management: ManagementClient; gatewayUrl: string },
  version: EntryPointVersion,
  fundingKey: Hex,
): Promise<DevPaymaster> {
  const { devnet, management, gatewayUrl } = parts;
  const family = devnetFamilies[version];
  const address = devnet.paymasterContracts[family];
  const wallet = privateKeyToAccount(fundingKey);
  const registered = await management.createPaymaster({
    name: `dev-${version}`,
    chainId: devnet.chainId,
    version: devPaymasterVersions[version],
  });
  await management.registerSmartContract({
    apiKey: registered.apiKey,
    name: 'DevTarget',
    address: devnet.target.address,
    abi: devnet.target.abi,
    whitelistedMethods: sponsoredMethods,
  });
  await setFundingWallet(management, registered, wallet);
  await sendInOrder(devnet.client, wallet, [
    {
      description: `a deposit of ${formatEther(deposit)} ETH`,
      to: devnet.entryPoints[version],
      data: encodeFunctionData({ abi: depositAbi, args: [address] }),
      value: deposit,
      gas: 100_000n,
    },
  ]);
  return {
    ...registered,
    version: devPaymasterVersions[version],
    rpcUrl: `${gatewayUrl}/api/v1/${devnet.chainId}/${registered.apiKey}`,
    entryPointVersion: version,
    entryPoint: devnet.entryPoints[version],
    contract: family,
    address,
    fundingWallet: wallet.address,
  };
}

async function setFundingWallet(
  management: ManagementClient,
  paymaster: { apiKey: string; paymasterId: string },
  wallet: LocalAccount,
): Promise<void> {
  const { apiKey, paymasterId } = paymaster;
  const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
  const signature = await wallet.signMessage({ message: fundingMessage });
  await management.setFundingWallet({ apiKey, paymasterId, signature, address: wallet.address });
}
