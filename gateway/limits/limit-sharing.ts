import { LRUCache } from 'lru-cache';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Core } from '../../core/domain/core.ts';
import type { LimitLevel, LimitUse } from '../../core/domain/limit-use.ts';

/** A limit of so much at once and so much in a minute, for each key; `lower` leaves a key so much at most. */
type SharedLimit = {
  readonly name: string;
  readonly burst: number;
  readonly perMinute: number;
  lower(key: string, left: number): void;
};

/** Has limits hold for all gateways of a core or of a database together. */
export type LimitSharing = {
  /** Shares a limit. What it answers is to be told of every use. */
  share(limit: SharedLimit): (key: string, used: number) => void;
  /** Tells what was used since the last time, and leaves each key no more than all have left. Never rejects. */
  exchange(): Promise<void>;
};

/** Part of a burst that is used before it is told of: who uses less costs no word. */
const unreportedPart = 1 / 8;
/** Uses told of in one exchange; others wait for the next. */
const maxReported = 500;

type Unreported = {
  readonly limit: SharedLimit;
  readonly key: string;
  used: number;
  /** When the first of it was used, in Unix milliseconds. */
  began: number;
  /** All uses of all gateways at the last word about it. */
  known: number;
};

/**
 * Each gateway counts for itself, and no request waits for a word with the core. Who has used an eighth of a burst is
 * told of with the next exchange, and where others have used of it too, no more is left here than the core says all
 * have left together. Where no one else has, what is counted here is right to the millisecond, and stays. While the
 * core does not answer, each gateway's own count is all there is.
 */
export function createLimitSharing(parts: {
  readonly core: Pick<Core, 'shareLimits'>;
  /** Keys remembered at once; the least recently used one is forgotten first. */
  readonly maxKeys: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): LimitSharing {
  const { core, maxKeys, clock, logger } = parts;
  const unreported = new LRUCache<string, Unreported>({ max: maxKeys });
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
      // It is told of next time. More than a burst would be waited for longer than it was used.
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
