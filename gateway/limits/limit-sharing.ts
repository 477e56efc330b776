import { LRUCache } from 'lru-cache';
import type { Core } from '../../core/domain/core.ts';
import type { Logger } from '../../core/domain/logger.ts';
import type { LimitUse } from '../../core/domain/sharing/limit-use.ts';

/** A limit of so much at once and so much in a minute, for each key; `set` puts what it has left for a key. */
export type SharedLimit = {
  readonly name: string;
  readonly burst: number;
  readonly perMinute: number;
  set(key: string, left: number): void;
};

/** Has limits hold for all gateways of a core or of a database together. */
export type LimitSharing = {
  /** Shares a limit. What it answers is to be told of every use. */
  share(limit: SharedLimit): (key: string, used: number) => void;
  /** Tells what was used since the last time, and sets what all have left. Never rejects. */
  exchange(): Promise<void>;
};

/** Part of a burst that is used before it is told of: who uses less costs no word. */
const untoldPart = 1 / 8;
/** Uses told of in one exchange; others wait for the next. */
const maxTold = 500;

type Untold = { readonly limit: SharedLimit; readonly key: string; used: number };

/**
 * Each gateway counts for itself, and no request waits for a word with the core. Who has used an eighth of a burst is told of
 * with the next exchange, and what the core says all have left together takes the place of what is counted here. While the core
 * does not answer, each gateway's own count is all there is.
 */
export function createLimitSharing(core: Pick<Core, 'shareLimits'>, maxKeys: number, logger: Logger): LimitSharing {
  const untold = new LRUCache<string, Untold>({ max: maxKeys });
  const due = new Set<Untold>();
  let underWay: Promise<void> | undefined;
  let hasFailed = false;

  async function tell(told: readonly Untold[]): Promise<void> {
    const uses = told.map(({ limit, key, used }): LimitUse => {
      const { burst, perMinute } = limit;
      return { name: `${limit.name} ${key}`, burst, perMinute, used };
    });
    for (const one of told) one.used = 0;
    try {
      const answer = await core.shareLimits({ uses });
      if (!answer.ok) throw new Error(answer.refusal.message);
      for (const [index, { limit, key, used }] of told.entries()) {
        limit.set(key, (answer.value[index] ?? 0) / 1_000 - used);
      }
      hasFailed = false;
    } catch (error) {
      // It is told of next time. More than a burst would be waited for longer than it was used.
      for (const [index, one] of told.entries()) {
        one.used = Math.min(one.used + (uses[index]?.used ?? 0), one.limit.burst);
        due.add(one);
      }
      if (!hasFailed) logger.warn({ err: error }, 'Limits cannot be shared with other gateways for now');
      hasFailed = true;
    }
  }

  return {
    share: (limit) => {
      const step = Math.max(1, Math.floor(limit.burst * untoldPart));
      return (key, used) => {
        const name = `${limit.name} ${key}`;
        const entry = untold.get(name) ?? { limit, key, used: 0 };
        entry.used += used;
        untold.set(name, entry);
        if (entry.used >= step) due.add(entry);
      };
    },
    exchange() {
      if (underWay !== undefined || due.size === 0) return underWay ?? Promise.resolve();
      const told = [...due].slice(0, maxTold);
      for (const one of told) due.delete(one);
      underWay = tell(told.filter(({ used }) => used > 0)).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}
