import type { CalledCounts } from './count-calls.ts';

/** The most of each, of operations of which only one can land: those that were counted, without what none of them calls. */
export function joinCalls(one: CalledCounts, other: CalledCounts): CalledCounts {
  const joined = new Map(one);
  for (const [key, calls] of other) {
    if (calls > (joined.get(key) ?? 0)) joined.set(key, calls);
  }
  return joined;
}
