import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import { webhookLimits } from '../../webhooks/webhook-limits.ts';

/** The state of one destination between attempts. A slow or broken one only slows down itself. */
type Lane = { readonly pool: Dispatcher; underWay: number; outages: number; restsUntil: number };

/** Which destinations may receive now. Times in Unix milliseconds. */
export type DestinationLanes = {
  /** Takes a slot for an attempt; undefined when the destination has none free. */
  enter(notificationId: string, origin: string, now: number): Dispatcher | undefined;
  /** Frees the slot. A destination that is down is paused, longer each time, then tried with one attempt. */
  leave(notificationId: string, end: { outage: boolean; now: number }): void;
  /** Destinations without a free slot. */
  busy(now: number): readonly string[];
  /** When the next pause ends. */
  nextRestEnd(now: number): number | undefined;
  destroy(): Promise<void>;
};

export function createDestinationLanes(openPool: (origin: string) => Dispatcher): DestinationLanes {
  const lanes = new LRUCache<string, Lane>({
    max: webhookLimits.lanes,
    dispose: (lane) => void lane.pool.close().catch(() => undefined),
  });

  function isBusy(lane: Lane, now: number): boolean {
    const places = lane.outages > 0 ? 1 : notificationLimits.attemptsAtOnceToOne;
    return lane.underWay >= places || lane.restsUntil > now;
  }

  return {
    enter(notificationId, origin, now) {
      const lane = lanes.get(notificationId) ?? { pool: openPool(origin), underWay: 0, outages: 0, restsUntil: 0 };
      if (isBusy(lane, now)) return undefined;
      lane.underWay += 1;
      lanes.set(notificationId, lane);
      return lane.pool;
    },
    leave(notificationId, { outage, now }) {
      const lane = lanes.get(notificationId);
      if (lane === undefined) return;
      lane.underWay = Math.max(lane.underWay - 1, 0);
      if (!outage) {
        lane.outages = 0;
        lane.restsUntil = 0;
      } else if (lane.restsUntil <= now) {
        // Concurrent failures are one outage: the first one started the pause.
        lane.outages += 1;
        lane.restsUntil = now + restOf(lane.outages);
      }
    },
    busy: (now) => [...lanes].filter(([, lane]) => isBusy(lane, now)).map(([notificationId]) => notificationId),
    nextRestEnd(now) {
      const ends = [...lanes.values()].map((lane) => lane.restsUntil).filter((end) => end > now);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
    async destroy() {
      await Promise.all([...lanes.values()].map((lane) => lane.pool.destroy()));
    },
  };
}

function restOf(outages: number): number {
  return Math.min(notificationLimits.firstRestMs * 2 ** (outages - 1), notificationLimits.maxRestMs);
}
