import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import { countEntries, type EntryCount } from '../../ledger/metrics/entry-counts.ts';
import type { Store } from '../../store/store.ts';

/** Most steps of one reading; the rest waits for the next. */
const maxSteps = 20;

/** Adds the entries written since the last time to the counts. */
export type EntryFollower = {
  catchUp(): Promise<void>;
  /** Operation costs on each chain that are not counted in USD yet, in wei. `forget` subtracts what has been counted. */
  readonly unpriced: ReadonlyMap<number, bigint>;
  forget(chainId: number, amount: bigint): void;
};

/**
 * Counts from the ledger instead of at the writes: so signing and posting do no extra work, and exactly the committed
 * transactions count. `after`: the newest entry at startup.
 */
export function followEntries(store: Store, metrics: MetricRegistry, after: number): EntryFollower {
  const unpriced = new Map<number, bigint>();
  let reached = after;

  function add(count: EntryCount): void {
    const { chainId, contract, kind, isReversal, mode, success, entries, amount, unpaid } = count;
    const location = { chain: String(chainId), contract };
    const labels = { ...location, kind, reversal: isReversal ? 'yes' : 'no' };
    metrics.count(coreMetrics.entries, labels, entries);
    metrics.count(coreMetrics.entriesWei, labels, Number(amount));
    if (kind !== 'settle' || isReversal) return;
    const landed = { ...location, mode: mode ?? 'none', success: success === false ? 'no' : 'yes' };
    metrics.count(coreMetrics.landed, landed, entries);
    metrics.count(coreMetrics.unpaidWei, location, Number(unpaid));
    unpriced.set(chainId, (unpriced.get(chainId) ?? 0n) + amount);
  }

  return {
    unpriced,
    forget: (chainId, amount) => void unpriced.set(chainId, (unpriced.get(chainId) ?? 0n) - amount),
    catchUp: async () => {
      for (let step = 0; step < maxSteps; step += 1) {
        const { until, isAll, counts } = await countEntries(store, reached);
        reached = until;
        counts.forEach(add);
        if (isAll) return;
      }
    },
  };
}
