import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/time/clock.ts';
import { entriesUpTo } from '../base/values/fair-cache.ts';

/** Bytes that each record of an answer that signed nothing may have: what was refused, and why. With its row under 1 KB. */
const leastRoom = 320;
/** Bytes above that: how many a paymaster may use at once, and how many come back in a second. */
const burst = 128 * 1_024;
const perSecond = 256;
/** Most paymasters whose use is remembered; one that is forgotten has all its room again. */
const maxRemembered = 10_000;

/** How long the records of a paymaster may be: the more requests sign nothing, the less is kept of each. */
export type RecordRoom = {
  /** Bytes that the next record may have. */
  left(paymasterId: string): number;
  /** Takes the bytes of a record. */
  take(paymasterId: string, bytes: number): void;
};

export function createRecordRoom(clock: Clock): RecordRoom {
  const used = new LRUCache<string, { readonly bytes: number; readonly at: number }>(entriesUpTo(maxRemembered));

  function usedNow(paymasterId: string): number {
    const known = used.get(paymasterId);
    if (known === undefined) return 0;
    return Math.max(0, known.bytes - (Math.max(0, clock.now() - known.at) * perSecond) / 1_000);
  }

  return {
    left: (paymasterId) => leastRoom + Math.max(0, burst - usedNow(paymasterId)),
    take(paymasterId, bytes) {
      used.set(paymasterId, { bytes: usedNow(paymasterId) + Math.max(0, bytes - leastRoom), at: clock.now() });
    },
  };
}
