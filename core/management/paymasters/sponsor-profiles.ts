import { LRUCache } from 'lru-cache';
import { createKeyedDigest } from '../../store/keyed-digest.ts';
import type { MasterKeys } from '../../store/master-keys/check-master-key.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { isWellFormedApiKey } from './api-key.ts';
import { loadSponsorProfile } from './load-sponsor-profile.ts';
import type { SponsorProfile } from './sponsor-profile.ts';

export type SponsorProfiles = {
  /** The profile the apiKey belongs to. Rejects only when the database fails. */
  find(apiKey: string): Promise<SponsorProfile | undefined>;
  /** The same by the paymaster's id, read again each time: for what is not the hot path. */
  findById(paymasterId: string): Promise<SponsorProfile | undefined>;
  /** To be called after each committed change of a paymaster or of what belongs to it. */
  forget(paymasterId: string): void;
};

/** Sum over the cached profiles of their contracts, selectors, webhooks and listed senders, each profile counting at least 1. */
const maxCachedEntries = 500_000;
/** Bounds how long a change made by another process stays unseen. */
const maxAgeMs = 10_000;

/** Profiles by apiKey. Only known ones are cached, so guessing keys evicts nothing. */
export function createSponsorProfiles(parts: { store: Store } & MasterKeys): SponsorProfiles {
  const { masterKey, previousMasterKeys = [] } = parts;
  const digestApiKey = createKeyedDigest(masterKey, 'api-key-digest');
  const formerDigests = previousMasterKeys.map((key) => createKeyedDigest(key, 'api-key-digest'));
  const box = createSecretBox(masterKey, previousMasterKeys);
  const digests = new Map<string, string>();
  const cache = new LRUCache<string, SponsorProfile>({
    maxSize: maxCachedEntries,
    sizeCalculation: sizeOf,
    ttl: maxAgeMs,
    ttlAutopurge: false,
    dispose: (profile, digest, reason) => {
      if (reason !== 'set' && digests.get(profile.paymaster.paymasterId) === digest) {
        digests.delete(profile.paymaster.paymasterId);
      }
    },
  });
  // Counts the changes: a profile that was read before one and arrives after it is used once and not kept.
  let changes = 0;

  return {
    async find(apiKey) {
      if (!isWellFormedApiKey(apiKey)) return undefined;
      const digest = digestApiKey(apiKey);
      const cached = cache.get(digest);
      if (cached !== undefined) return cached;
      const changesBefore = changes;
      const stored = [digest, ...formerDigests.map((former) => former(apiKey))];
      const profile = await loadSponsorProfile(
        { db: parts.store.db, box },
        { column: 'api_key_digest', values: stored },
      );
      if (profile !== undefined && changes === changesBefore) {
        cache.set(digest, profile);
        digests.set(profile.paymaster.paymasterId, digest);
      }
      return profile;
    },

    findById: (paymasterId) =>
      loadSponsorProfile({ db: parts.store.db, box }, { column: 'paymaster_id', values: [paymasterId] }),

    forget(paymasterId) {
      changes += 1;
      const digest = digests.get(paymasterId);
      if (digest !== undefined) cache.delete(digest);
    },
  };
}

function sizeOf({ contracts, webhooks, policy }: SponsorProfile): number {
  let size = 1 + webhooks.length + policy.blockedSenders.length + (policy.allowedSenders?.length ?? 0);
  for (const contract of contracts.values()) size += 1 + contract.selectors.size;
  return size;
}
