import { setTimeout as wait } from 'node:timers/promises';
import {
  type Chain,
  type Client,
  createTestClient,
  defineChain,
  type Hash,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type WaitForTransactionReceiptParameters,
  type WalletActions,
  walletActions,
} from 'viem';
import { getTransaction, getTransactionReceipt } from 'viem/actions';
import { tryAgain } from '../../../clients/cli/terminal/cli-error.ts';

/** Milliseconds between two questions, and after which a development node that mines at once has failed to. */
const pollMs = 20;
const limitMs = 30_000;

/**
 * Asks for the receipt of a transaction until it is there. viem's own waiting looks once for each block, and a development
 * node mines none next to that of the transaction: what is missed then never comes.
 */
async function waitForReceipt(
  client: Client<HttpTransport, Chain>,
  { hash }: { readonly hash: Hash },
): Promise<TransactionReceipt> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await getTransactionReceipt(client, { hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      if (Date.now() > deadline) throw await notMined(client, hash);
    }
    await wait(pollMs);
  }
}

async function notMined(client: Client<HttpTransport, Chain>, hash: Hash): Promise<Error> {
  const known = await getTransaction(client, { hash }).then(
    ({ blockNumber }) => (blockNumber === null ? 'has it in its pool' : `has it in block ${blockNumber}`),
    () => 'does not know it',
  );
  return tryAgain(`The development chain has no receipt of the transaction ${hash} after 30 s. It ${known}.`);
}

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
