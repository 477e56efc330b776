import type { Address } from 'viem';
import type { Clock } from '../../base/time/clock.ts';

/** How long other nodes, or the same one later, are asked for events that may be missing, in milliseconds. */
const patienceMs = 30_000;

/** Doubts that may be caused by something without an event: they delay a contract's ledger for a while, but not forever. */
export type Patience = {
  /** Whether the contract's events from this block on have been doubted for long enough. */
  isOver(contract: Address, fromBlock: bigint): boolean;
};

export function createPatience(clock: Clock): Patience {
  const doubted = new Map<Address, { readonly fromBlock: bigint; readonly since: number }>();
  return {
    isOver: (contract, fromBlock) => {
      const known = doubted.get(contract);
      const now = clock.now();
      // Starts again when a clock that was ahead was set back.
      const since = known?.fromBlock === fromBlock ? Math.min(known.since, now) : now;
      doubted.set(contract, { fromBlock, since });
      return now - since >= patienceMs;
    },
  };
}
