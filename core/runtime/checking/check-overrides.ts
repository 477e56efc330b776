import type { ChainConfig } from '../../domain/core-config.ts';
import { StartError } from '../../domain/start-error.ts';
import { tryOverrides } from '../../gas/simulation/override-call.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { overridesUnsupported } from '../../node/node-error.ts';

/**
 * Checks that one of the chain's nodes can simulate operations. Otherwise no limits could be estimated or checked, not even
 * a bundler's, and nothing could be signed.
 *
 * @throws StartError when none can, and when the nodes do not answer.
 */
export async function checkOverrides({ chainId }: Pick<ChainConfig, 'chainId'>, client: ChainClient): Promise<void> {
  const tried = await tryOverrides(client);
  if (tried.ok) return;
  if (tried.refusal !== overridesUnsupported) {
    throw new StartError(`The node of chain ${chainId} does not respond.`, { tryAgain: true });
  }
  throw new StartError(
    `No node of chain ${chainId} supports eth_call with state overrides, which every gas limit is checked with, even a bundler's. Add a node that does to nodeUrls.`,
    { tryAgain: false },
  );
}
