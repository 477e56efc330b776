import type { LocalAccount } from 'viem/accounts';
import type { ManagementClient } from '../../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from '../../../server/dev/dev-core-config.ts';
import type { RunningService } from './running-service.ts';

/** A registered paymaster with the target whitelisted; whether there is coin in its tank is the test's affair. */
export type LabPaymaster = {
  readonly version: EntryPointVersion;
  readonly paymasterId: string;
  readonly apiKey: string;
  readonly rpcUrl: string;
  readonly management: ManagementClient;
};

/** With the authToken of its account. */
export type OwnedPaymaster = LabPaymaster & { readonly authToken: string };

/** Registers a paymaster of a new account: `increment` and `pay` of the target are sponsored, there is no funding wallet yet. */
export async function openPaymaster(service: RunningService, version: EntryPointVersion): Promise<OwnedPaymaster> {
  const { devnet } = service;
  const { authToken } = await service.issueAccount();
  const management = service.managementOf(authToken);
  const { apiKey, paymasterId } = await management.createPaymaster({
    name: 'lab',
    chainId: devnet.chainId,
    version: devPaymasterVersions[version],
  });
  await management.registerSmartContract({
    apiKey,
    name: 'target',
    address: devnet.target.address,
    abi: devnet.target.abi,
    whitelistedMethods: ['increment', 'pay'],
  });
  return { version, paymasterId, apiKey, rpcUrl: service.rpcUrl(apiKey), management, authToken };
}

/** Makes `wallet` the paymaster's funding wallet, in the three steps of the management interface. */
export async function chooseWallet(paymaster: LabPaymaster, wallet: LocalAccount): Promise<void> {
  const { management, apiKey, paymasterId } = paymaster;
  const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
  const signature = await wallet.signMessage({ message: fundingMessage });
  await management.setFundingWallet({ apiKey, paymasterId, signature, address: wallet.address });
}
