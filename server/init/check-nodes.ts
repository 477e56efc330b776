import { type Address, createPublicClient, http } from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { explainNodeFailure } from '../../core/node/node-failure.ts';

/** Longest wait for one node, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Checks that each node belongs to the chain, which has the EntryPoint, and returns the lowest of their newest blocks. URLs
 * may contain a key, so a node is named by its position in the list.
 */
export async function checkNodes(
  nodeUrls: readonly string[],
  chain: { readonly chainId: number; readonly entryPoint: Address; readonly entryPointVersion: string },
): Promise<bigint> {
  const heads = await Promise.all(nodeUrls.map((url, index) => checkNode(url, index + 1, chain)));
  return heads.reduce((least, head) => (head < least ? head : least));
}

async function checkNode(url: string, location: number, chain: Parameters<typeof checkNodes>[1]): Promise<bigint> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: timeoutMs }) });
  const asked = Promise.all([
    client.getChainId(),
    client.getBlockNumber(),
    client.getCode({ address: chain.entryPoint }),
  ]);
  const [chainId, head, code] = await asked.catch((error: unknown) => {
    const { text, remedy } = explainNodeFailure(error);
    throw tryAgain(`Node ${location} of --node-url did not answer. ${text} ${remedy} Nothing was written.`);
  });
  if (chainId !== chain.chainId) {
    throw mistake(`Node ${location} of --node-url is for chain ${chainId}, not ${chain.chainId}.`);
  }
  if (code !== undefined) return head;
  throw mistake(`Chain ${chainId} has no EntryPoint ${chain.entryPointVersion} at ${chain.entryPoint}.`);
}
