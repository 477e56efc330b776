import { setImmediate as nextTurn } from 'node:timers/promises';
import { storedSubject } from '../../policies/called-limits/called-key.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { Store } from '../../store/store.ts';
import type { UsageKey } from '../counts/limit-usage.ts';
import { countStep, type WantedCount } from './count-in-steps.ts';

/** Counts windows that requests need, in steps, between which other work gets its turn. */
type CountBehind = { want(counts: Iterable<WantedCount>): void };

/** Requests under such a limit are refused until it is counted; the first one after that marks the count as complete. */
export function createCountBehind(store: Store): CountBehind {
  const wanted = new Map<string, WantedCount>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (const [identity, count] of wanted) {
      // If it fails, the next request asks for it again.
      await countAll(store, count).catch(() => undefined);
      wanted.delete(identity);
    }
    running = false;
  }

  return {
    want: (counts) => {
      for (const count of counts) wanted.set(usageIdentity(count.key), count);
      if (!running) void run();
    },
  };
}

async function countAll(store: Store, count: WantedCount): Promise<void> {
  while (!(await store.transaction((transaction) => countStep(transaction, count))).isAll) await nextTurn();
}

/** A count as one string, for maps. */
export function usageIdentity(key: UsageKey): string {
  return `${policyKey(key)}:${storedSubject(key)}:${key.window}:${key.start}`;
}
