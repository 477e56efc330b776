/** The page of an application with wagmi: the connected wallet sends the calls, and asks the given paymaster. */
import { createCapabilities } from '@tollfree/sdk';
import { type Address, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';
import { createConfig } from 'wagmi';
import { connect, getCapabilities, sendCalls, waitForCallsStatus } from 'wagmi/actions';
import { smartWallet } from './wallet/smart-wallet.ts';

for (const name of ['OWNER_KEY', 'NODE_URL', 'BUNDLER_URL', 'CONTRACT', 'PAYMASTER_URL']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
}

// In a browser: `injected()`, or the connector of any wallet with EIP-5792 and paymaster services.
const wallet = smartWallet({
  owner: privateKeyToAccount(process.env.OWNER_KEY as Hex),
  chain,
  nodeUrl: process.env.NODE_URL ?? '',
  bundlerUrl: process.env.BUNDLER_URL ?? '',
});
const config = createConfig({
  chains: [chain],
  connectors: [wallet],
  transports: { [chain.id]: http(process.env.NODE_URL) },
});
const [connector] = config.connectors;
await connect(config, { connector });

const { paymasterService } = await getCapabilities(config, { chainId: chain.id });
console.log(`the wallet ${paymasterService?.supported === true ? 'takes' : 'does not take'} paymaster services`);

const data = encodeFunctionData({ abi: parseAbi(['function increment()']) });
const to = process.env.CONTRACT as Address;
const { id } = await sendCalls(config, {
  chainId: chain.id,
  calls: [
    { to, data },
    { to, data },
  ],
  capabilities: createCapabilities({ url: process.env.PAYMASTER_URL ?? '' }),
});
const { status, receipts } = await waitForCallsStatus(config, { id });
console.log(status === 'success' ? 'landed' : status, receipts?.[0]?.transactionHash);
