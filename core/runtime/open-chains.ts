import pLimit from 'p-limit';
import type { ChainConfig } from '../domain/core-config.ts';
import type { ChainRuntime } from '../sponsorship/run/chain-runtime.ts';
import { openChain } from './open-chain.ts';

/** Opening a usual keystore takes 256 MiB for half a second, in a thread of its own. */
const openedAtOnce = 2;

/**
 * Opens the chains side by side. When one cannot be opened the others are closed again and its error is thrown: that of
 * the first in the configuration, whichever failed first.
 *
 * @throws StartError when something the configuration promises is not there.
 */
export async function openChains(
  configs: readonly ChainConfig[],
  context: Parameters<typeof openChain>[1],
): Promise<Map<number, ChainRuntime>> {
  const limit = pLimit(openedAtOnce);
  const results = await Promise.allSettled(configs.map((config) => limit(() => openChain(config, context))));
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return new Map(opened.map((chain) => [chain.config.chainId, chain]));
  await Promise.all(opened.map((chain) => chain.watcher.close()));
  throw failed.reason;
}
