import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { addUse, type ClientUses, keepUses } from '../base/values/client-uses.ts';
import { entriesUpTo } from '../base/values/fair-cache.ts';
import type { KeyRate } from '../domain/api-key-rules.ts';
import type { Core } from '../domain/core.ts';
import type { LimitLevel, LimitUse } from '../domain/limit-use.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind } from '../store/write-behind.ts';

/** Most keys whose level is kept; the least recently used one is evicted and so is full again. */
const maxKeys = 10_000;
/** Share of a burst that is used before it is reported to others. */
const unreportedPart = 1 / 8;
/** In thousandths, like levels. */
const oneRequest = 1_000;

/**
 * Takes one request of a client from a key's rate; false if there is none left, or none for the client. `key` is unique per key.
 * Without a `client` all requests are of one.
 */
export type TakeOfRate = (key: string, rate: KeyRate, client?: string) => boolean;

/** A client may use a burst. It leaves as much to all others together. */
const burstsOfKey = 2;

type Known = {
  readonly kept: KeptLimit;
  /** Of what was missing then, in thousandths. */
  readonly usedBy: ClientUses;
  readonly unreported: number;
  /** When the first unreported use happened, in Unix milliseconds. */
  readonly began: number;
  /** Total uses of all processes at the last report. */
  readonly received: number;
};

/**
 * The rates of apiKeys, shared fairly by the clients of each as the gateway's rate of a key is: a client may have used as much of what
 * is missing as is left. Each process counts by itself, and no request waits for another process. With `share`, uses are
 * reported in the background; if others used the same key, the local level is lowered to the common one.
 */
export function createKeyRates(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly share?: Core['shareLimits'];
}): TakeOfRate {
  const { clock, logger, share } = parts;
  const known = new LRUCache<string, Known>(entriesUpTo(maxKeys));

  async function tell(use: LimitUse, received: number): Promise<void> {
    const answer = await share?.({ uses: [use] });
    const level = answer?.ok === true ? answer.value[0] : undefined;
    const entry = known.get(use.name);
    if (level === undefined || entry === undefined) return;
    const now = clock.now();
    const own = levelAt(entry.kept, use, now);
    const left = level.used === received + use.used ? own : Math.min(own, level.left - entry.unreported * oneRequest);
    keepUses(entry.usedBy, partStillMissing(entry.kept, use, now));
    known.set(use.name, { ...entry, kept: { ...entry.kept, left, at: now }, received: level.used });
  }

  return (key, { perSecond, burst: burstOfClient }, client = '') => {
    const name = `key ${key}`;
    const now = clock.now();
    const burst = burstsOfKey * burstOfClient;
    const use = { name, burst, perMinute: perSecond * 60, used: 1, beganMsAgo: 0 };
    const before = known.get(name);
    const usedBy: ClientUses = before?.usedBy ?? new Map();
    if (before !== undefined) {
      const part = partStillMissing(before.kept, use, now);
      const usedByClient = (usedBy.get(client) ?? 0) * part;
      if (levelAt(before.kept, use, now) < usedByClient + oneRequest) return false;
      keepUses(usedBy, part);
    }
    addUse(usedBy, client, oneRequest);
    const kept = drawFromLimit(before?.kept, use, now);
    const used = (before?.unreported ?? 0) + 1;
    const began = used > 1 ? (before?.began ?? now) : now;
    const received = before?.received ?? 0;
    const isDue = share !== undefined && used >= Math.max(1, Math.floor(burst * unreportedPart));
    known.set(name, { kept, usedBy, unreported: isDue ? 0 : used, began, received });
    if (isDue) {
      tell({ ...use, used, beganMsAgo: Math.max(0, now - began) }, received).catch((err) =>
        logger.warn({ err }, 'The rate of an apiKey cannot be shared at the moment'),
      );
    }
    return true;
  };
}

/** How much of what was missing from a limit at its latest use is missing at a time in Unix milliseconds: from 0 to 1. */
function partStillMissing(kept: KeptLimit, use: LimitUse, time: number): number {
  const full = use.burst * oneRequest;
  return kept.left >= full ? 0 : (full - levelAt(kept, use, time)) / (full - kept.left);
}

/** A limit at the start of its latest use, in Unix milliseconds. */
export type KeptLimit = LimitLevel & { readonly at: number };

/**
 * How far a limit may be overdrawn and then must recover: a burst and a second for each of this many gateways, which cannot
 * see each other's uses at once.
 */
const maxOverdrawn = 10;

/**
 * The limit after a use; unknown limits are full. The whole use counts from its start: otherwise what was replenished since
 * then would be lost when a full limit takes the use now. If the clock was set back, nothing is replenished.
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

/** The level of the limit at a time in Unix milliseconds. */
export function levelAt({ left, at }: KeptLimit, { burst, perMinute }: LimitUse, time: number): number {
  return Math.min(burst * 1_000, left + Math.floor((Math.max(0, time - at) * perMinute) / 60));
}

const secondsPerMinute = 60;
/** Most tokens, sessions and apiKeys whose last written minute is kept; an evicted one is written once more. */
const maxRemembered = 10_000;

type Use = { readonly of: 'auth-token' | 'session' | 'api-key'; readonly id: string; readonly minute: number };

/** Called for every use, with `at` in Unix seconds. */
export type NoteUse = (use: Pick<Use, 'of' | 'id'> & { readonly at: number }) => void;

/**
 * Records when authTokens, sessions and apiKeys were last used: rounded to the minute, at most once per minute, in the
 * background.
 */
export function createUseRecorder(
  store: Store,
  logger: Logger,
): { noteUse: NoteUse; flush(): Promise<void>; close(): Promise<void> } {
  const written = new LRUCache<string, number>(entriesUpTo(maxRemembered));
  const uses = createWriteBehind<Use>({
    store,
    logger,
    what: 'Last uses of authTokens, sessions and apiKeys',
    ownerOf: ({ id }) => id,
    bytesOf: () => 100,
    insert: async (trx, rows) => {
      for (const { of, id, minute } of rows) {
        if (of === 'session') {
          await trx
            .updateTable('sessions')
            .set({ last_seen_at: minute })
            .where('session_id', '=', id)
            .where('last_seen_at', '<', minute)
            .execute();
        } else if (of === 'api-key') {
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: minute })
            .where('api_key_id', '=', id)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', minute)]))
            .execute();
        } else {
          await trx
            .updateTable('auth_tokens')
            .set({ last_used_at: minute })
            .where('auth_token_id', '=', id)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', minute)]))
            .execute();
        }
      }
    },
  });
  return {
    noteUse({ of, id, at }) {
      const minute = at - (at % secondsPerMinute);
      if (written.get(id) === minute) return;
      written.set(id, minute);
      uses.add({ of, id, minute });
    },
    flush: uses.flush,
    close: uses.close,
  };
}
