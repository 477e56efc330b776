import type { LocalAccount } from 'viem/accounts';
import { z } from 'zod';
import { devPaymasterVersions } from '../../../clients/cli/dev/dev-core-config.ts';
import type { ManagementClient } from '../../../clients/cli/dev/management-client.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { RunningService } from './running-service.ts';

/** A registered paymaster with the target whitelisted; whether there is coin in its tank is the test's affair. */
export type LabPaymaster = {
  readonly version: EntryPointVersion;
  readonly paymasterId: string;
  readonly apiKey: string;
  readonly rpcUrl: string;
  readonly management: ManagementClient;
};

const registeredSchema = z.object({ apiKey: z.string(), paymasterId: z.string() });

/** Registers a paymaster of a new account: `increment` and `pay` of the target are sponsored, there is no funding wallet yet. */
export async function openPaymaster(service: RunningService, version: EntryPointVersion): Promise<LabPaymaster> {
  const { devnet } = service;
  const { authToken } = await service.issueAccount();
  const management = service.managementOf(authToken);
  const { apiKey, paymasterId } = await management.call(
    {
      method: 'POST',
      path: '/paymaster',
      body: { name: 'lab', type: 'HYBRID', chainId: devnet.chainId, version: devPaymasterVersions[version] },
    },
    registeredSchema,
  );
  const body = {
    name: 'target',
    address: devnet.target.address,
    abi: JSON.stringify(devnet.target.abi),
    whitelistedMethods: ['increment', 'pay'],
  };
  await management.call({ method: 'POST', path: '/smart-contract', apiKey, body }, z.unknown());
  return { version, paymasterId, apiKey, rpcUrl: service.rpcUrl(apiKey), management };
}

/** Makes `wallet` the paymaster's funding wallet, in the three steps of the management interface. */
export async function chooseWallet(paymaster: LabPaymaster, wallet: LocalAccount): Promise<void> {
  const { management, apiKey, paymasterId } = paymaster;
  const { fundingMessage } = await management.call(
    { method: 'GET', path: `/funding-message/${paymasterId}`, apiKey },
    z.object({ fundingMessage: z.string() }),
  );
  const signature = await wallet.signMessage({ message: fundingMessage });
  const body = { paymasterId, type: 'paymasterFundingId', signature, address: wallet.address };
  await management.call({ method: 'PATCH', path: '/paymaster', apiKey, body }, registeredSchema);
}
