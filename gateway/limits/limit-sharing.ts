import { LRUCache } from 'lru-cache';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Core } from '../../core/domain/core.ts';
import type { LimitLevel, LimitUse } from '../../core/domain/limit-use.ts';

/** A limit with a burst and a rate per minute, for each key; `lower` reduces a key to at most this much. */
type SharedLimit = {
  readonly name: string;
  readonly burst: number;
  readonly perMinute: number;
  lower(key: string, left: number): void;
};

/** Makes limits apply to all gateways of a core or of a database together. */
export type LimitSharing = {
  /** Shares a limit. Call the returned function for every use. */
  share(limit: SharedLimit): (key: string, used: number) => void;
  /** Reports the uses since the last time, and lowers each key to what all have left together. Never rejects. */
  exchange(): Promise<void>;
};

/** Share of a burst that is used before it is reported: smaller uses cause no traffic. */
const unreportedPart = 1 / 8;
/** Most uses reported in one exchange; others wait for the next. */
const maxReported = 500;

type Unreported = {
  readonly limit: SharedLimit;
  readonly key: string;
  used: number;
  /** Time of the first unreported use, in Unix milliseconds. */
  began: number;
  /** Total uses of all gateways at the last report. */
  known: number;
};

/**
 * Each gateway counts by itself, and no request waits for the core. A key that has used an eighth of a burst is reported
 * with the next exchange; if other gateways also used it, it is lowered here to what the core says all have left together.
 * If no others did, the local count is exact and stays. While the core does not answer, only each gateway's own count
 * applies.
 */
export function createLimitSharing(parts: {
  readonly core: Pick<Core, 'shareLimits'>;
  /** Most keys kept; the least recently used one is evicted. */
  readonly maxKeys: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): LimitSharing {
  const { core, maxKeys, clock, logger } = parts;
  // With `max` the room for all entries would be allocated at once.
  const unreported = new LRUCache<string, Unreported>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  const due = new Set<Unreported>();
  let underWay: Promise<void> | undefined;
  let hasFailed = false;

  function hear(one: Unreported, reported: number, level: LimitLevel | undefined): void {
    const { limit, key, used, known } = one;
    if (level === undefined) return;
    one.known = level.used;
    if (level.used !== known + reported) limit.lower(key, level.left / 1_000 - used);
  }

  async function tell(reported: readonly Unreported[]): Promise<void> {
    const now = clock.now();
    const uses = reported.map(({ limit, key, used, began }): LimitUse => {
      const { burst, perMinute } = limit;
      return { name: `${limit.name} ${key}`, burst, perMinute, used, beganMsAgo: Math.max(0, now - began) };
    });
    const begun = reported.map(({ began }) => began);
    for (const one of reported) one.used = 0;
    try {
      const answer = await core.shareLimits({ uses });
      if (!answer.ok) throw new Error(answer.refusal.message);
      for (const [index, one] of reported.entries()) hear(one, uses[index]?.used ?? 0, answer.value[index]);
      hasFailed = false;
    } catch (error) {
      // Reported next time. More than a burst would block for longer than it was used.
      for (const [index, one] of reported.entries()) {
        one.used = Math.min(one.used + (uses[index]?.used ?? 0), one.limit.burst);
        one.began = begun[index] ?? one.began;
        due.add(one);
      }
      if (!hasFailed) logger.warn({ err: error }, 'Limits cannot be shared with other gateways at the moment');
      hasFailed = true;
    }
  }

  return {
    share: (limit) => {
      const step = Math.max(1, Math.floor(limit.burst * unreportedPart));
      return (key, used) => {
        const name = `${limit.name} ${key}`;
        const entry = unreported.get(name) ?? { limit, key, used: 0, began: 0, known: 0 };
        if (entry.used === 0) entry.began = clock.now();
        entry.used += used;
        unreported.set(name, entry);
        if (entry.used >= step) due.add(entry);
      };
    },
    exchange() {
      if (underWay !== undefined || due.size === 0) return underWay ?? Promise.resolve();
      const reported = [...due].slice(0, maxReported);
      for (const one of reported) due.delete(one);
      underWay = tell(reported.filter(({ used }) => used > 0)).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}
