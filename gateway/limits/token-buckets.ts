import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/base/time/clock.ts';

/** A token bucket per key: burst of `capacity`, refilled at `refillPerSecond`. */
export type TokenBuckets = {
  /** Takes one token if available. Returns 0, or the milliseconds until one is. */
  take(key: string): number;
  /** Returns one taken token. */
  giveBack(key: string): void;
  /** Takes one token even if none is available: the key then owes it, down to one whole capacity. */
  charge(key: string): void;
  /** Milliseconds until a token is available; 0 if one is now. Takes nothing. */
  waitFor(key: string): number;
  /** Reduces a known key to at most this many tokens, which may be negative. */
  lower(key: string, tokens: number): void;
  has(key: string): boolean;
  forget(key: string): void;
};

type Bucket = { tokens: number; filledAt: number };

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
      const fresh = { tokens: capacity, filledAt: now };
      buckets.set(key, fresh);
      return fresh;
    }
    const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1000;
    bucket.tokens = Math.min(capacity, bucket.tokens + elapsedSeconds * refillPerSecond);
    bucket.filledAt = now;
    return bucket;
  }

  function wait(bucket: Bucket): number {
    return bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) / refillPerSecond) * 1000);
  }

  return {
    take(key) {
      const bucket = filled(key);
      const milliseconds = wait(bucket);
      if (milliseconds === 0) {
        bucket.tokens -= 1;
        onUse(key, 1);
      }
      return milliseconds;
    },
    giveBack(key) {
      const bucket = filled(key);
      bucket.tokens = Math.min(capacity, bucket.tokens + 1);
      onUse(key, -1);
    },
    charge(key) {
      const bucket = filled(key);
      bucket.tokens = Math.max(Math.min(bucket.tokens, -capacity), bucket.tokens - 1);
      onUse(key, 1);
    },
    waitFor: (key) => (buckets.has(key) ? wait(filled(key)) : 0),
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
