import { type CryptoKey, createLocalJWKSet, type JSONWebKeySet, type ProtectedHeaderParameters } from 'jose';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { createFairCache } from '../base/values/fair-cache.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { GotText } from '../webhooks/guarded-get.ts';
import { ticketRefusals } from './ticket-refusals.ts';

/** A list of keys that an account's paymasters name. */
type JwksLocation = { readonly accountId: string; readonly url: string };

/** Finds the key of a list behind a URL that a ticket's header names. */
export type JwksCache = {
  findKey(location: JwksLocation, header: ProtectedHeaderParameters): Promise<Result<CryptoKey>>;
};

/** Of fetching lists of keys. */
export const jwksLimits = {
  timeoutMs: 3_000,
  maxBytes: 65_536,
  maxKeys: 100,
  /** Lists that are remembered: beyond it the account that has most of them loses the one it used least recently. */
  maxLists: 1_000,
  /** A list is asked for again after so many seconds. */
  freshSeconds: 600,
  /** At the soonest so many seconds after it was asked for: for a key that it does not have, and while it does not answer. */
  minSecondsBetween: 15,
  /** While it does not answer, the last list stands for so many seconds after it was fetched, and no longer: six hours. */
  maxStaleSeconds: 21_600,
} as const;

type KeyOf = (header: ProtectedHeaderParameters) => Promise<CryptoKey>;
type Listed = { readonly keyOf: KeyOf; readonly fetchedAt: number };
type Entry = { listed?: Listed; askedAt: number; asking?: Promise<void> };

/**
 * Keeps the lists of keys that it has fetched. A key that a list does not have is looked for in a newer one, so that the issuer
 * may change its keys at any time; each list is asked for by one request at a time and seldom, whatever tickets say. Each
 * account has its own, so that tickets of another one neither evict it nor delay when it is asked for, however many paymasters
 * that one has.
 */
export function createJwksCache(parts: {
  readonly get: (url: URL) => Promise<GotText>;
  readonly clock: Clock;
}): JwksCache {
  const entries = createFairCache<Entry>(jwksLimits.maxLists);

  async function fetchList(url: string, entry: Entry): Promise<void> {
    const keyOf = readList(await parts.get(new URL(url)));
    if (keyOf !== undefined) entry.listed = { keyOf, fetchedAt: unixSeconds(parts.clock) };
  }

  /** Asks for the list unless that was done a moment ago. */
  async function refresh(url: string, entry: Entry): Promise<void> {
    const now = unixSeconds(parts.clock);
    if (entry.asking === undefined && now - entry.askedAt >= jwksLimits.minSecondsBetween) {
      entry.askedAt = now;
      entry.asking = fetchList(url, entry).finally(() => {
        delete entry.asking;
      });
    }
    await entry.asking;
  }

  return {
    findKey: async ({ accountId, url }, header) => {
      const entry = entries.get(accountId, url) ?? { askedAt: Number.NEGATIVE_INFINITY };
      entries.set(accountId, url, entry);
      const age = () => unixSeconds(parts.clock) - (entry.listed?.fetchedAt ?? Number.NEGATIVE_INFINITY);
      if (age() > jwksLimits.freshSeconds) await refresh(url, entry);
      const found = await keyIn(entry.listed, header);
      if (found !== undefined && age() <= jwksLimits.maxStaleSeconds) return accept(found);
      await refresh(url, entry);
      if (entry.listed === undefined || age() > jwksLimits.maxStaleSeconds) return ticketRefusals.keysUnavailable;
      const newer = await keyIn(entry.listed, header);
      if (newer !== undefined) return accept(newer);
      // A key that is not there yet may be in the list that does not come.
      return entry.listed.fetchedAt < entry.askedAt ? ticketRefusals.keysUnavailable : ticketRefusals.unknownKey;
    },
  };
}

/** Undefined when the answer is no list of keys: then the one before goes on standing. */
function readList(got: GotText): KeyOf | undefined {
  if ('problem' in got || got.status !== 200) return undefined;
  try {
    const list: unknown = JSON.parse(got.text);
    if (!isList(list) || list.keys.length > jwksLimits.maxKeys) return undefined;
    return createLocalJWKSet({ keys: list.keys.filter(({ kty }) => kty !== 'oct') });
  } catch {
    return undefined;
  }
}

function isList(value: unknown): value is JSONWebKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}

/** One that several keys fit, as no `kid` says which, is not guessed, and one that cannot be read is none. */
async function keyIn(listed: Listed | undefined, header: ProtectedHeaderParameters): Promise<CryptoKey | undefined> {
  try {
    return await listed?.keyOf(header);
  } catch {
    return undefined;
  }
}
