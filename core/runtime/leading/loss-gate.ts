import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { DatabaseLostError } from '../../store/database-lost-error.ts';
import type { Store } from '../../store/store.ts';

/** Seconds beyond the longest signature: for clocks that differ, and until what has landed last is in the ledger. */
export const marginSeconds = 600;

/** Keeps everything from being signed while holds of what is out may be gone from the database. */
export type LossGate = {
  /** Why nothing is signed, in words; undefined where nothing is missing. */
  fault(): string | undefined;
  /** To go along in the transaction of holds: rejects, so that none of them is written. */
  ride(): Promise<() => void>;
};

/** `maxSeconds` is the longest that a signature is good for. */
export function createLossGate(store: Pick<Store, 'lostAt'>, clock: Clock, maxSeconds: number): LossGate {
  const fault = () => {
    const lostAt = store.lostAt();
    if (lostAt === undefined) return undefined;
    const left = lostAt + maxSeconds + marginSeconds - unixSeconds(clock);
    if (left <= 0) return undefined;
    return `the database lost committed data; waiting ${left} more seconds for earlier signatures to expire`;
  };
  return {
    fault,
    ride: async () => {
      const detail = fault();
      if (detail !== undefined) throw new DatabaseLostError(detail);
      return () => {};
    },
  };
}
