import type { ChainConfig } from '../../../core/domain/core-config.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { createDevnetClient } from '../../../server/dev/devnet/devnet-client.ts';
import { startAnvil } from '../../../server/dev/devnet/start-anvil.ts';

export type OtherChain = {
  readonly config: Pick<ChainConfig, 'chainId' | 'nodeUrls' | 'startBlock'>;
  close(): Promise<void>;
};

/** So many more chains with all that is on this one: each a node, since contracts sign and check with their chain's id. */
export async function startOtherChains(devnet: Devnet, count: number): Promise<readonly OtherChain[]> {
  if (count <= 0) return [];
  const state = await devnet.client.dumpState();
  const chains: OtherChain[] = [];
  while (chains.length < count) {
    const chainId = devnet.chainId + 1 + chains.length;
    const { rpcUrl, close } = await startAnvil({ port: 0, chainId, idleBlockSeconds: 5 });
    const client = createDevnetClient(rpcUrl, chainId);
    await client.loadState({ state });
    // What was loaded has no history of blocks.
    await client.mine({ blocks: 1 });
    chains.push({ config: { chainId, nodeUrls: [rpcUrl], startBlock: await client.getBlockNumber() }, close });
  }
  return chains;
}
