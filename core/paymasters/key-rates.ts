import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { KeyRate } from '../domain/api-key-rules.ts';
import type { Core } from '../domain/core.ts';
import type { LimitLevel, LimitUse } from '../domain/limit-use.ts';

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

/** A limit as it was when the latest of its uses began, in Unix milliseconds. */
export type KeptLimit = LimitLevel & { readonly at: number };

/** What so many gateways can let through before they hear of each other may be owed, and is waited for: a burst and a second each. */
const maxOverdrawn = 10;

/**
 * The limit after a use, which is full where it is not known. All of the use counts as of when it began: what came back
 * since then would be lost where a limit that is full takes the whole of it now. A clock that was set back brings nothing.
 */
export function drawFromLimit(kept: KeptLimit | undefined, use: LimitUse, now: number): KeptLimit {
  const full = use.burst * 1_000;
  const owed = maxOverdrawn * (full + Math.ceil((use.perMinute * 1_000) / 60));
  const began = now - use.beganMsAgo;
  const before = kept === undefined ? full : levelAt(kept, use, began);
  return {
    left: Math.max(before - use.used * 1_000, -owed),
    used: (kept?.used ?? 0) + use.used,
    at: Math.max(began, kept?.at ?? began),
  };
}

/** What the limit has left at a time in Unix milliseconds. */
export function levelAt({ left, at }: KeptLimit, { burst, perMinute }: LimitUse, time: number): number {
  return Math.min(burst * 1_000, left + Math.floor((Math.max(0, time - at) * perMinute) / 60));
}
