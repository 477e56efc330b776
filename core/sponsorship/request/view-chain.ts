import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';

/**
 * What the chain looked like a moment ago. Without it, and while the books of the paymaster's contract do not follow the
 * chain, nothing is signed (`CHAIN_UNAVAILABLE`).
 */
export function viewChain(chain: ChainRuntime, contract: Address): Result<ChainView> {
  const view = chain.watcher.view();
  const fault = chain.watcher.faultOf(contract);
  if (view !== undefined && fault === undefined) return accept(view);
  if (fault !== undefined) {
    // What differs is for the operator, who reads it in the readiness and the log.
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The books of this paymaster's contract do not follow chain ${chain.config.chainId}; nothing is signed until they do.`,
    });
  }
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The node of chain ${chain.config.chainId} does not answer; nothing is signed until it does.`,
  });
}
