import { omitAbsent } from '@tollfree/contract/omit-absent';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/base/time/clock.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { LimitSharing } from './limit-sharing.ts';

/**
 * Rate limits of callers. Methods return 0 to proceed, else the milliseconds to wait.
 *
 * Only wrong credentials count as failed logins, not missing ones, and only their senders must wait: valid credentials
 * always work, whatever others behind the same address have tried. Every RPC request counts under its address. A key that
 * the core accepted is known and also has its own bucket. Made-up keys have none, so that they cannot fill the memory.
 * Invalid requests are given back to the key's bucket: RPC keys ship in browsers, and one bad client must not use up what
 * all share.
 */
export type AccessLimits = {
  /** For rejected credentials. */
  takeFailedLogin(address: string): number;
  /** For a management call of an authenticated caller, identified by its paymaster or account. */
  takeManagementCall(caller: string): number;
  /** For an RPC request, before it is parsed. */
  takeRpcCall(key: string, address: string): number;
  /** For an RPC request that turned out to be invalid: it then only counts under its address. */
  giveBackRpcCall(key: string): void;
  /** Records the core's verdict on an RPC key. For a rejected one, returns how long to wait before trying another. */
  rememberRpcKey(key: string, verdict: 'accepted' | 'rejected', address: string): number;
};

/** With `sharing`, the limits apply to all gateways together. */
export function createAccessLimits(limits: GatewayLimits, clock: Clock, sharing?: LimitSharing): AccessLimits {
  const { failedLoginsPerMinute, requestBurst, requestsPerSecond, managementBurst, managementPerSecond } = limits;

  function buckets(name: string, capacity: number, perMinute: number): TokenBuckets {
    const onUse = sharing?.share({ name, burst: capacity, perMinute, lower: (key, left) => made.lower(key, left) });
    const made: TokenBuckets = createTokenBuckets({
      ...{ capacity, refillPerSecond: perMinute / 60, maxKeys: limits.trackedClients, clock },
      ...omitAbsent({ onUse }),
    });
    return made;
  }

  const failedLogins = buckets('failed logins', failedLoginsPerMinute, failedLoginsPerMinute);
  const managementCalls = buckets('management', managementBurst, managementPerSecond * 60);
  const knownKeys = buckets('apiKey', requestBurst, requestsPerSecond * 60);
  const addresses = buckets('address', requestBurst, requestsPerSecond * 60);

  return {
    takeFailedLogin: failedLogins.take,
    takeManagementCall: managementCalls.take,
    takeRpcCall(key, address) {
      const waitMs = addresses.take(address);
      return waitMs > 0 || !knownKeys.has(key) ? waitMs : knownKeys.take(key);
    },
    giveBackRpcCall(key) {
      if (knownKeys.has(key)) knownKeys.giveBack(key);
    },
    rememberRpcKey(key, verdict, address) {
      if (verdict === 'rejected') {
        knownKeys.forget(key);
        return failedLogins.take(address);
      }
      // This also makes the key known.
      if (!knownKeys.has(key)) knownKeys.charge(key);
      return 0;
    },
  };
}

/** A token bucket per key: burst of `capacity`, refilled at `refillPerSecond`. */
type TokenBuckets = {
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

/** Slots for concurrent work. */
type Slots = {
  /**
   * Takes slots for an owner, one by default, to be returned once; undefined when too few are free, or when the owner would
   * exceed its share. An owner's only work may exceed the share.
   */
  take(owner: string, count?: number): (() => void) | undefined;
};

/** The share of all slots that one owner may take: filling all requires four of them. */
const shareOfOwner = 1 / 4;

/**
 * Creates `count` slots, of which each owner gets a share. A caller without a free slot is refused at once and does not
 * wait.
 */
export function createSlots(count: number, share = Math.ceil(count * shareOfOwner)): Slots {
  const takenBy = new Map<string, number>();
  let taken = 0;

  function change(owner: string, by: number): void {
    const left = (takenBy.get(owner) ?? 0) + by;
    if (left === 0) takenBy.delete(owner);
    else takenBy.set(owner, left);
    taken += by;
  }

  return {
    take(owner, wanted = 1) {
      const own = takenBy.get(owner) ?? 0;
      if (taken + wanted > count || (own > 0 && own + wanted > share)) return undefined;
      change(owner, wanted);
      let isTaken = true;
      return () => {
        if (isTaken) change(owner, -wanted);
        isTaken = false;
      };
    },
  };
}
