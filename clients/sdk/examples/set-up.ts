/** From nothing to a paymaster that sponsors one method: registers it, fills its gas tank, and prints its RPC address. */
import { createManagementClient } from '@tollfree/sdk';
import { type Address, createWalletClient, type Hex, http, parseAbi, parseEther, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['SERVICE_URL', 'AUTH_TOKEN', 'CONTRACT', 'FUNDING_KEY', 'NODE_URL']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
}

const baseUrl = process.env.SERVICE_URL ?? '';
const management = createManagementClient({ baseUrl, authToken: process.env.AUTH_TOKEN ?? '' });

// `version` names one of the paymaster contracts that the operator has configured: `listChains` lists them.
const name = `shop-${Date.now()}`;
const { apiKey, paymasterId } = await management.createPaymaster({ name, chainId: chain.id, version: '3.0.0' });
await management.registerSmartContract({
  apiKey,
  name: 'counter',
  address: process.env.CONTRACT ?? '',
  abi: parseAbi(['function increment()', 'function fail()']),
  whitelistedMethods: ['increment'],
});
if (process.env.WEBHOOK_URL !== undefined) {
  await management.createWebhook({ apiKey, webhookUrl: process.env.WEBHOOK_URL, requestType: 'POST' });
}

// The wallet proves its ownership by signing a message. Only the call described by the tank fills it.
const wallet = createWalletClient({
  account: privateKeyToAccount(process.env.FUNDING_KEY as Hex),
  chain,
  transport: http(process.env.NODE_URL),
}).extend(publicActions);
const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
const signature = await wallet.signMessage({ message: fundingMessage });
await management.setFundingWallet({ apiKey, paymasterId, signature, address: wallet.account.address });
const { filling } = await management.readGasTank({ apiKey });
if (filling === undefined) throw new Error('The paymaster has no funding wallet.');
const call = { to: filling.to as Address, data: filling.data as Hex };
const hash = await wallet.sendTransaction({ ...call, value: parseEther('1') });
await wallet.waitForTransactionReceipt({ hash });

console.log(`${baseUrl}/api/v2/${chain.id}/${apiKey}`);
