import { setTimeout as wait } from 'node:timers/promises';
import {
  type Address,
  type Chain,
  type Client,
  createTestClient,
  defineChain,
  type Hash,
  type Hex,
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
import type { LocalAccount } from 'viem/accounts';
import { getTransaction, getTransactionReceipt } from 'viem/actions';
import { tryAgain } from '../../../clients/cli/terminal/cli-error.ts';

type DevTransaction = {
  readonly description: string;
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  /** The gas limit; without it, the node's estimate. */
  readonly gas?: bigint;
};

/**
 * Sends transactions sequentially with explicit nonces, each after the previous receipt: concurrent ones can get
 * stuck in a development node's pool. Stops at a reverted transaction.
 */
export async function sendInOrder(
  client: DevnetClient,
  from: LocalAccount,
  transactions: readonly DevTransaction[],
): Promise<readonly TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = [];
  let nonce = await client.getTransactionCount({ address: from.address, blockTag: 'pending' });
  for (const { description, ...transaction } of transactions) {
    const hash = await client.sendTransaction({ account: from, chain: client.chain, nonce, ...transaction });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw tryAgain(`The transaction for ${description} reverted (${hash}).`);
    receipts.push(receipt);
    nonce += 1;
  }
  return receipts;
}

/** Polling interval in milliseconds. */
const pollMs = 20;
const limitMs = 30_000;

/**
 * Polls for the receipt of a transaction. viem's own waiting checks once per block, and a development node mines no block
 * after the transaction's: a receipt missed then would never come.
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

/** Creates the client without connecting. */
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
