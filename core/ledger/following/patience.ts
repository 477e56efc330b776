import type { Address } from 'viem';
import type { Clock } from '../../base/time/clock.ts';

/** How long other nodes, or the same one later, are asked for what may have been left out, in milliseconds. */
const patienceMs = 30_000;

/** Doubts that may come of what no event tells: they hold a contract's ledger up for a while, and not for ever. */
export type Patience = {
  /** Whether what the contract's events tell from this block on has been doubted for long enough. */
  isOver(contract: Address, fromBlock: bigint): boolean;
};

export function createPatience(clock: Clock): Patience {
  const doubted = new Map<Address, { readonly fromBlock: bigint; readonly since: number }>();
  return {
    isOver: (contract, fromBlock) => {
      const known = doubted.get(contract);
      const now = clock.now();
      // A clock that was ahead and was set back begins again.
      const since = known?.fromBlock === fromBlock ? Math.min(known.since, now) : now;
      doubted.set(contract, { fromBlock, since });
      return now - since >= patienceMs;
    },
  };
}
