import {
  type Chain,
  type Client,
  createTestClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type WaitForTransactionReceiptParameters,
  type WalletActions,
  walletActions,
} from 'viem';
import { waitForReceipt } from './wait-for-receipt.ts';

/** A viem client for a development node: reads, writes and the node's test calls. */
export type DevnetClient = Client<
  HttpTransport,
  Chain,
  undefined,
  undefined,
  TestActions & PublicActions<HttpTransport, Chain> & WalletActions<Chain>
>;

/** Makes the client. Connects to nothing yet. */
export function createDevnetClient(rpcUrl: string, chainId: number): DevnetClient {
  const chain = defineChain({
    id: chainId,
    name: 'Development chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl), pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
    .extend((client) => ({
      waitForTransactionReceipt: (options: WaitForTransactionReceiptParameters) => waitForReceipt(client, options),
    }));
}
