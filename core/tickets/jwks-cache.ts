import { type CryptoKey, createLocalJWKSet, type JSONWebKeySet, type ProtectedHeaderParameters } from 'jose';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { createFairCache } from '../base/values/fair-cache.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { GotText } from '../webhooks/guarded-get.ts';
import { problemOfRsa } from './stored-ticket-key.ts';
import { ticketRefusals } from './ticket.ts';

/** A key list (JWKS URL) named by an account's paymasters. */
type JwksLocation = { readonly accountId: string; readonly url: string };

/** Finds the key that a ticket's header names in a list behind a URL. */
export type JwksCache = {
  findKey(location: JwksLocation, header: ProtectedHeaderParameters): Promise<Result<CryptoKey>>;
};

/** Bounds for fetching key lists. */
export const jwksLimits = {
  timeoutMs: 3_000,
  maxBytes: 65_536,
  maxKeys: 100,
  /** Most lists kept; beyond it the account with the most lists loses the least recently used one. */
  maxLists: 1_000,
  /** Age in seconds after which a list is fetched again. */
  freshSeconds: 600,
  /** Least seconds between two fetches: for a missing key, and while the URL does not answer. */
  minSecondsBetween: 15,
  /** While the URL does not answer, the last list remains valid for this many seconds after it was fetched: six hours. */
  maxStaleSeconds: 21_600,
} as const;

type KeyOf = (header: ProtectedHeaderParameters) => Promise<CryptoKey>;
type Listed = { readonly keyOf: KeyOf; readonly fetchedAt: number };
type Entry = { listed?: Listed; askedAt: number; asking?: Promise<void> };

/**
 * Caches fetched key lists. For a missing key the list is fetched again, so an issuer may rotate keys at any time. Each list
 * has one fetch at a time and few in total, whatever tickets contain. Each account has its own lists, so tickets of another
 * account, with any number of paymasters, can neither evict nor delay them.
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

  /** Fetches the list unless that was done recently. */
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
      // A missing key may be in the list that could not be fetched.
      return entry.listed.fetchedAt < entry.askedAt ? ticketRefusals.keysUnavailable : ticketRefusals.unknownKey;
    },
  };
}

/** Undefined when the answer is not a key list; the previous one then stays in use. */
function readList(got: GotText): KeyOf | undefined {
  if ('problem' in got || got.status !== 200) return undefined;
  try {
    const list: unknown = JSON.parse(got.text);
    if (!isList(list) || list.keys.length > jwksLimits.maxKeys) return undefined;
    return createLocalJWKSet({ keys: list.keys.filter((key) => key.kty !== 'oct' && problemOfRsa(key) === undefined) });
  } catch {
    return undefined;
  }
}

function isList(value: unknown): value is JSONWebKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}

/** Undefined if several keys match because the ticket has no `kid`, or if the key is unreadable. */
async function keyIn(listed: Listed | undefined, header: ProtectedHeaderParameters): Promise<CryptoKey | undefined> {
  try {
    return await listed?.keyOf(header);
  } catch {
    return undefined;
  }
}
