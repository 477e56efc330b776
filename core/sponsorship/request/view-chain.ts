import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';

/** What the chain looked like a moment ago; without it nothing is signed (`CHAIN_UNAVAILABLE`). */
export function viewChain(chain: ChainRuntime): Result<ChainView> {
  const view = chain.watcher.view();
  if (view !== undefined) return accept(view);
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The node of chain ${chain.config.chainId} does not answer; nothing is signed until it does.`,
  });
}
