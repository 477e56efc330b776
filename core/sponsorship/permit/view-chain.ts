import type { Address } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { type ChainView, clockFault } from '../../node/chain-watcher.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';

type Followed = {
  readonly config: Pick<ChainRuntime['config'], 'chainId' | 'maxClockDifferenceSeconds'>;
  readonly watcher: Pick<ChainRuntime['watcher'], 'view' | 'faultOf'>;
};

/**
 *
 *
 * The chain's recent readings. Nothing is signed (`CHAIN_UNAVAILABLE`) without them, while the ledger of the paymaster's
 * contract does not follow the chain, and while our clock and the chain's differ too much.
 */
export function viewChain(chain: Followed, contract: Address, clock: Clock): Result<ChainView> {
  const { chainId } = chain.config;
  const view = chain.watcher.view();
  const fault = chain.watcher.faultOf(contract);
  const clocks = clocksFault(chain, view, clock);
  if (view !== undefined && fault === undefined && clocks === undefined) return accept(view);
  if (fault !== undefined) {
    // The details are for the operator, in the readiness and the log.
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The ledger of this paymaster's contract is behind chain ${chainId}. Nothing is signed until it has caught up.`,
    });
  }
  if (clocks !== undefined) {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `Nothing is signed on chain ${chainId} at the moment: ${clocks}.`,
    });
  }
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The node of chain ${chainId} does not respond. Nothing is signed until it does.`,
  });
}

/** The same without checking the ledger: operations sponsored by another paymaster are not in its tanks. */
export function viewWithoutLedger(chain: Followed, clock: Clock): ChainView | undefined {
  const view = chain.watcher.view();
  return clocksFault(chain, view, clock) === undefined ? view : undefined;
}

function clocksFault({ config }: Followed, view: ChainView | undefined, clock: Clock): string | undefined {
  if (view === undefined) return undefined;
  return clockFault(unixSeconds(clock), view.headTime, config.maxClockDifferenceSeconds);
}
