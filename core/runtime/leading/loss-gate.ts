import { counted } from '@tollfree/contract/counted';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { DatabaseLostError } from '../../store/store-error.ts';

/**
 * Seconds added to the longest signature lifetime: for clock differences, and for the ledger to process the last landings.
 */
export const marginSeconds = 600;

/** Prevents signing while the database may lack holds for outstanding signatures. */
export type LossGate = {
  /** Why nothing is signed, in words; undefined if nothing is missing. */
  fault(): string | undefined;
  /** Called in the transaction of holds: rejects, so that none of them is written. */
  alsoWrite(): Promise<() => void>;
};

/** `maxSeconds` is the longest lifetime of a signature. */
export function createLossGate(store: Pick<Store, 'lostAt'>, clock: Clock, maxSeconds: number): LossGate {
  const fault = () => {
    const lostAt = store.lostAt();
    if (lostAt === undefined) return undefined;
    const left = lostAt + maxSeconds + marginSeconds - unixSeconds(clock);
    if (left <= 0) return undefined;
    return `the database lost committed data; waiting ${counted(left, 'more second')} for earlier signatures to expire`;
  };
  return {
    fault,
    alsoWrite: async () => {
      const detail = fault();
      if (detail !== undefined) throw new DatabaseLostError(detail);
      return () => {};
    },
  };
}
