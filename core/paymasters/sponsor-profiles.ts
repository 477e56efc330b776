import { LRUCache } from 'lru-cache';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { entriesUpTo } from '../base/values/fair-cache.ts';
import { createKeyedDigest } from '../store/keyed-digest.ts';
import type { MasterKeys } from '../store/master-keys/check-master-key.ts';
import { createSecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { RowError } from '../store/store-error.ts';
import { type FoundApiKey, findApiKey, isWellFormedApiKey, ownKeyNumber } from './key-settings.ts';
import { createPolicyLoader, createSharedReads } from './load-policy.ts';
import { loadSponsorProfile } from './load-sponsor-profile.ts';
import type { ChosenPolicy, SponsorProfile } from './sponsor-profile.ts';

export type SponsorProfiles = {
  /** The profile the apiKey belongs to. Rejects only when the database fails. */
  find(apiKey: string): Promise<SponsorProfile | undefined>;
  /** The profile by the paymaster's id, not cached: for use off the hot path. */
  findById(paymasterId: string): Promise<SponsorProfile | undefined>;
  /** The named policy with an id, for the profile of a request that names it; undefined if it may not be chosen. */
  choose(profile: SponsorProfile, policyId: string): Promise<ChosenPolicy | undefined>;
  /**
   * Whether a profile from `find` is still current, if no other process can change it. Callers check it in the transaction
   * that relies on the profile.
   */
  isCurrent(profile: SponsorProfile): boolean;
  /** Call this after each committed change of a paymaster or its data. */
  forget(paymasterId: string): void;
  /** Call this when it is unknown which paymaster changed. */
  forgetAll(): void;
};

/** Memory for cached profiles, in bytes. */
const maxCachedBytes = 12 * 1024 * 1024;
/** Most paymasters whose last change is kept: more than change during a request. */
const maxChanged = 10_000;
/** Longest time that another process's change can stay unnoticed by work without a hold, if its notification is lost. */
const maxAgeMs = 10_000;

/** A cached profile of an apiKey, until the apiKey is no longer accepted. */
type Kept = { readonly profile: SponsorProfile; readonly expiresAt: number | null };

/** Profiles by apiKey. Only known ones are cached, so guessing keys evicts nothing. */
export function createSponsorProfiles(parts: { store: Store; clock: Clock } & MasterKeys): SponsorProfiles {
  const { store, clock, masterKey, previousMasterKeys = [] } = parts;
  const digestApiKey = createKeyedDigest(masterKey, 'api-key-digest');
  const formerDigests = previousMasterKeys.map((key) => createKeyedDigest(key, 'api-key-digest'));
  const box = createSecretBox(masterKey, previousMasterKeys);
  const policies = createPolicyLoader(store);
  const shared = createSharedReads<SponsorProfile | undefined>();
  const cache = createProfileCache();
  const changes = createChangeCount();
  const readAt = new WeakMap<SponsorProfile, number>();

  async function load(key: FoundApiKey, changesBefore: number): Promise<SponsorProfile | undefined> {
    const { paymasterId, apiKeyId, keyNumber } = key;
    const read = await loadSponsorProfile({ db: store.db, box, policies }, paymasterId, { apiKeyId, keyNumber });
    const profile = store.leadership.isShared ? read : withoutChanges(read);
    if (profile !== undefined) readAt.set(profile, changesBefore);
    return profile;
  }

  async function read(apiKey: string, digest: string): Promise<SponsorProfile | undefined> {
    const changesBefore = changes.now();
    const stored = [digest, ...formerDigests.map((former) => former(apiKey))];
    const key = await findApiKey(store.db, { digests: stored, now: unixSeconds(clock) });
    const profile = key && (await load(key, changesBefore));
    // A result from before a change that arrives after it is not cached.
    if (profile !== undefined && changes.now() === changesBefore) {
      cache.keep(digest, { profile, expiresAt: key?.expiresAt ?? null });
    }
    return profile;
  }

  return {
    async find(apiKey) {
      if (!isWellFormedApiKey(apiKey)) return undefined;
      const digest = digestApiKey(apiKey);
      const cached = cache.get(digest);
      if (cached !== undefined) return isOver(cached, unixSeconds(clock)) ? undefined : cached.profile;
      // Concurrent requests share one read, but never one that began before a change.
      return shared.read(`${digest} ${changes.now()}`, () => read(apiKey, digest));
    },

    findById: async (paymasterId) =>
      withoutChanges(
        await loadSponsorProfile({ db: store.db, box, policies }, paymasterId, { keyNumber: ownKeyNumber }),
      ),

    async choose({ paymaster: { accountId, paymasterId }, named, readAt: readAtChange }, policyId) {
      if (!named.has(policyId)) return undefined;
      try {
        const loaded = await policies.load({ accountId, paymasterId, policyId, changes: readAtChange });
        if (loaded === undefined) return undefined;
        const { policy, callRules, calledLimits, shown } = loaded;
        return { name: '', ...shown, policyId, policy, callRules, calledLimits };
      } catch (error) {
        if (error instanceof RowError) return undefined;
        throw error;
      }
    },

    isCurrent(profile) {
      // If other processes can change it, the transaction compares the number of changes.
      if (profile.changes !== undefined) return true;
      const read = readAt.get(profile);
      return read !== undefined && changes.lastOf(profile.paymaster.paymasterId) <= read;
    },

    forget(paymasterId) {
      changes.note(paymasterId);
      cache.forget(paymasterId);
    },

    forgetAll() {
      changes.noteAll();
      cache.forgetAll();
      policies.forgetAll();
    },
  };
}

/** Counts changes, and keeps the number of each paymaster's last change. */
function createChangeCount() {
  let count = 0;
  let lastOfAll = 0;
  const lastOf = new LRUCache<string, number>(entriesUpTo(maxChanged));
  return {
    now: () => count,
    lastOf: (paymasterId: string) => Math.max(lastOf.get(paymasterId) ?? 0, lastOfAll),
    note(paymasterId: string): void {
      count += 1;
      lastOf.set(paymasterId, count);
    },
    noteAll(): void {
      count += 1;
      lastOfAll = count;
    },
  };
}

/** A bounded cache of profiles by the digest of their apiKey. */
function createProfileCache() {
  const digests: Digests = new Map();
  const kept = new LRUCache<string, Kept>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ profile }) => profile.bytes,
    ttl: maxAgeMs,
    ttlAutopurge: false,
    dispose: ({ profile }, digest, reason) => {
      if (reason !== 'set') dropDigest(digests, profile.paymaster.paymasterId, digest);
    },
  });
  return {
    get: (digest: string) => kept.get(digest),
    keep(digest: string, one: Kept): void {
      const { paymasterId } = one.profile.paymaster;
      digests.set(paymasterId, (digests.get(paymasterId) ?? new Set()).add(digest));
      kept.set(digest, one);
    },
    forget(paymasterId: string): void {
      for (const digest of [...(digests.get(paymasterId) ?? [])]) kept.delete(digest);
    },
    forgetAll: () => kept.clear(),
  };
}

/** By paymaster, the digests of its apiKeys with a cached profile. */
type Digests = Map<string, Set<string>>;

function dropDigest(digests: Digests, paymasterId: string, digest: string): void {
  const others = digests.get(paymasterId);
  others?.delete(digest);
  if (others?.size === 0) digests.delete(paymasterId);
}

function withoutChanges(profile: SponsorProfile | undefined): SponsorProfile | undefined {
  if (profile === undefined) return undefined;
  const { changes: _, ...rest } = profile;
  return rest;
}

function isOver({ expiresAt }: Kept, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
