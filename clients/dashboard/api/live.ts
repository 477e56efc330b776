import type { Query } from '@tanstack/react-query';

const fastestMs = 3_000;
const slowestMs = 60_000;

type Pace = { readonly read: number; readonly data: unknown; readonly ms: number };
// biome-ignore lint/suspicious/noExplicitAny: whatever a query reads
const paces = new WeakMap<Query<any, any, any, any>, Pace>();

/**
 * For a query's `refetchInterval`: polls soon after a change, then more and more rarely while nothing changes or the service
 * does not answer. A hidden page does not poll. `share` is the number of queries that share one pace.
 */
export function live(share = 1) {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return (query: Query<any, any, any, any>): number => {
    const { data, dataUpdateCount, errorUpdateCount } = query.state;
    const read = dataUpdateCount + errorUpdateCount;
    const before = paces.get(query);
    const fastest = Math.min(slowestMs, fastestMs * Math.max(1, Math.ceil(share / 4)));
    if (before === undefined) {
      paces.set(query, { read, data, ms: fastest });
      return fastest;
    }
    if (before.read === read) return before.ms;
    // An unchanged answer is the same object.
    const ms = data === before.data ? Math.min(slowestMs, before.ms * 1.5) : fastest;
    paces.set(query, { read, data, ms });
    return ms;
  };
}
