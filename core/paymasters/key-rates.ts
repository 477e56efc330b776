import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { KeyRate } from '../domain/api-key-rules.ts';
import type { Core } from '../domain/core.ts';
import type { LimitUse } from '../domain/limit-use.ts';
import { drawFromLimit, type KeptLimit, levelAt } from './draw-from-limit.ts';

/** Keys whose level is remembered; the least recently used one is forgotten first, that is: full again. */
const maxKeys = 100_000;
/** Part of a burst that is used before others are told of it. */
const unreportedPart = 1 / 8;
/** In thousandths, as levels are. */
const oneRequest = 1_000;

/** Takes one request of a key's rate: whether there was one. `key` is one text for each key. */
export type TakeOfRate = (key: string, rate: KeyRate) => boolean;

type Known = {
  readonly kept: KeptLimit;
  readonly unreported: number;
  /** When the first of what is untold was used, in Unix milliseconds. */
  readonly began: number;
  /** All uses by all processes at the last word about it. */
  readonly received: number;
};

/**
 * The rates of apiKeys. Each process counts for itself, and no request waits for another one: with `share`, what was used is
 * told behind the requests, and where others have used of it too, no more is left here than all have left together.
 */
export function createKeyRates(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly share?: Core['shareLimits'];
}): TakeOfRate {
  const { clock, logger, share } = parts;
  const known = new LRUCache<string, Known>({ max: maxKeys });

  async function tell(use: LimitUse, received: number): Promise<void> {
    const answer = await share?.({ uses: [use] });
    const level = answer?.ok === true ? answer.value[0] : undefined;
    const entry = known.get(use.name);
    if (level === undefined || entry === undefined) return;
    const now = clock.now();
    const own = levelAt(entry.kept, use, now);
    const left = level.used === received + use.used ? own : Math.min(own, level.left - entry.unreported * oneRequest);
    known.set(use.name, { ...entry, kept: { ...entry.kept, left, at: now }, received: level.used });
  }

  return (key, { perSecond, burst }) => {
    const name = `key ${key}`;
    const now = clock.now();
    const use = { name, burst, perMinute: perSecond * 60, used: 1, beganMsAgo: 0 };
    const before = known.get(name);
    if (before !== undefined && levelAt(before.kept, use, now) < oneRequest) return false;
    const kept = drawFromLimit(before?.kept, use, now);
    const used = (before?.unreported ?? 0) + 1;
    const began = used > 1 ? (before?.began ?? now) : now;
    const received = before?.received ?? 0;
    const isDue = share !== undefined && used >= Math.max(1, Math.floor(burst * unreportedPart));
    known.set(name, { kept, unreported: isDue ? 0 : used, began, received });
    if (isDue) {
      tell({ ...use, used, beganMsAgo: Math.max(0, now - began) }, received).catch((err) =>
        logger.warn({ err }, 'The rate of an apiKey cannot be shared at the moment'),
      );
    }
    return true;
  };
}
