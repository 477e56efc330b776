import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/base/time/clock.ts';
import { addUse, type ClientUses, keepUses } from '../../core/base/values/client-uses.ts';

/**
 * A token bucket per key: burst of `capacity`, refilled at `refillPerSecond`. Clients that share a key share its bucket
 * fairly: a client may have used as much of the missing tokens as tokens are left. So one client gets half of a bucket, `n`
 * get equal parts, and there is always a part for one that has used nothing. As the bucket refills, the uses of all its
 * clients are forgotten in proportion.
 */
export type TokenBuckets = {
  /** Takes one token if available, and if the client may have it. Returns 0, or the milliseconds until it may. */
  take(key: string, client?: string): number;
  /** Returns one taken token. */
  giveBack(key: string, client?: string): void;
  /** Takes one token even if none is available: the key then owes it, down to one whole capacity. */
  charge(key: string, client?: string): void;
  /** Milliseconds until a token is available; 0 if one is now. Takes nothing. */
  waitFor(key: string): number;
  /** Reduces a known key to at most this many tokens, which may be negative. */
  lower(key: string, tokens: number): void;
  has(key: string): boolean;
  forget(key: string): void;
};

type Bucket = {
  tokens: number;
  filledAt: number;
  /** In tokens. */
  readonly usedBy: ClientUses;
};

/** Token buckets for at most `maxKeys` keys; the least recently used one is evicted and so is full again. */
export function createTokenBuckets(options: {
  capacity: number;
  refillPerSecond: number;
  maxKeys: number;
  clock: Clock;
  /** Called with 1 for each token taken, and with -1 for each returned. */
  onUse?: (key: string, used: number) => void;
}): TokenBuckets {
  const { capacity, refillPerSecond, maxKeys, clock, onUse = () => undefined } = options;
  // With `max` the room for all entries would be allocated at once, for each of the limits at a start.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  function filled(key: string): Bucket {
    const now = clock.now();
    const bucket = buckets.get(key);
    if (bucket === undefined) {
      const fresh = { tokens: capacity, filledAt: now, usedBy: new Map() };
      buckets.set(key, fresh);
      return fresh;
    }
    const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1000;
    const missing = capacity - bucket.tokens;
    bucket.tokens = Math.min(capacity, bucket.tokens + elapsedSeconds * refillPerSecond);
    bucket.filledAt = now;
    keepUses(bucket.usedBy, missing === 0 ? 0 : (capacity - bucket.tokens) / missing);
    return bucket;
  }

  /** Milliseconds until the client may have one more token. */
  function wait(bucket: Bucket, client: string | undefined): number {
    const used = client === undefined ? 0 : (bucket.usedBy.get(client) ?? 0);
    const short = used + 1 - bucket.tokens;
    if (short <= 0) return 0;
    // The client's use falls while the tokens rise.
    const missing = capacity - bucket.tokens;
    const closing = refillPerSecond * (1 + (missing > 0 ? used / missing : 0));
    return Math.ceil((short / closing) * 1000);
  }

  return {
    take(key, client) {
      const bucket = filled(key);
      const milliseconds = wait(bucket, client);
      if (milliseconds === 0) {
        bucket.tokens -= 1;
        if (client !== undefined) addUse(bucket.usedBy, client, 1);
        onUse(key, 1);
      }
      return milliseconds;
    },
    giveBack(key, client) {
      const bucket = filled(key);
      bucket.tokens = Math.min(capacity, bucket.tokens + 1);
      if (client !== undefined) addUse(bucket.usedBy, client, -1);
      onUse(key, -1);
    },
    charge(key, client) {
      const bucket = filled(key);
      bucket.tokens = Math.max(Math.min(bucket.tokens, -capacity), bucket.tokens - 1);
      if (client !== undefined) addUse(bucket.usedBy, client, 1);
      onUse(key, 1);
    },
    waitFor: (key) => (buckets.has(key) ? wait(filled(key), undefined) : 0),
    lower(key, tokens) {
      if (!buckets.has(key)) return;
      const bucket = filled(key);
      bucket.tokens = Math.min(bucket.tokens, tokens);
    },
    has: (key) => buckets.has(key),
    forget: (key) => {
      buckets.delete(key);
    },
  };
}
