import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { createPublicClient, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';

/** How many senders have an operation, and how often each sends it. */
const senders = 4;
const sends = 2;

/**
 * Gives every page of the default development paymaster something to show: limits, a named policy, a budget, a webhook that
 * answers, members, keys, operations that landed and refused ones. Done once for each development service.
 */
export async function tellStory(dev: DevFile): Promise<void> {
  const paymaster = dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === '0.8');
  if (paymaster === undefined) throw new Error('The development service has no paymaster of EntryPoint 0.8.');
  const { paymasterId, apiKey, rpcUrl } = paymaster;
  const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken, apiKey });
  if ((await management.listPolicies()).length > 0) return;
  const receiver = createServer((_, response) => response.end('{"arePoliciesVerified":true}'));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/sponsor`;
  await management.setPolicy({
    policy: {
      ...(await management.readPolicy()),
      maxCostPerOperation: { usd: '2.00' },
      limits: [
        { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '5' },
        { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '20.00' },
      ],
    } as never,
  });
  await management.createPolicy({
    name: 'spring campaign',
    description: 'Three operations for each user until May',
    policy: { limits: [{ per: 'SENDER', window: 'EVER', unit: 'OPERATIONS', max: '3' }] },
  });
  await management.createBudget({ name: 'all paymasters', maxUsd: '100', window: 'MONTH' });
  await management.createWebhook({ webhookUrl: url, requestType: 'POST' });
  await management.createNotification({
    url,
    events: ['operation.settled', 'tank.low'],
    tankLow: { thresholdWei: '1000000000000000' },
  });
  await management.addMember({ wallet: privateKeyToAddress(generatePrivateKey()), role: 'viewer', name: 'Ada' });
  await management.createApiKey({ paymasterId, name: 'web shop' });
  await management.createTicketKey({ paymasterId, name: 'backend', kind: 'HS256' });
  const client = createPublicClient({ chain: foundry, transport: http(dev.chain.rpcUrl), pollingInterval: 50 });
  for (let sender = 0; sender < senders; sender += 1) {
    const account = await toSimpleSmartAccount({
      client,
      owner: privateKeyToAccount(generatePrivateKey()),
      entryPoint: { address: paymaster.entryPoint, version: '0.8' },
      factoryAddress: dev.chain.accountFactories['0.8'],
    });
    const bundlerClient = createBundlerClient({
      account,
      client,
      transport: http(dev.bundlerUrl),
      paymaster: createPaymasterClient({ transport: http(rpcUrl) }),
    });
    const call = { to: dev.chain.target, abi: dev.chain.targetAbi };
    for (let count = 0; count < sends; count += 1) {
      const hash = await bundlerClient.sendUserOperation({ calls: [{ ...call, functionName: 'increment' }] });
      await bundlerClient.waitForUserOperationReceipt({ hash });
    }
    // `fail` is not sponsored.
    await bundlerClient.sendUserOperation({ calls: [{ ...call, functionName: 'fail' }] }).catch(() => {});
  }
  receiver.close();
}
