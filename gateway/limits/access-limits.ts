import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Clock } from '../../core/base/time/clock.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { LimitSharing } from './limit-sharing.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

/**
 * Rate limits of callers. Methods return 0 to proceed, else the milliseconds to wait.
 *
 * Only wrong credentials count as failed logins, not missing ones, and only their senders must wait: valid credentials
 * always work, whatever others behind the same address have tried. Every RPC request counts under its address. A key that
 * the core accepted is known and also has its own bucket. Made-up keys have none, so that they cannot fill the memory.
 * Invalid requests are given back to the key's bucket: RPC keys ship in browsers, and one bad client must not use up what
 * all share. For the same reason an address may use half of a key's bucket, which holds two bursts, and less if others use
 * it too.
 */
export type AccessLimits = {
  /** For rejected credentials. */
  takeFailedLogin(address: string): number;
  /** For a management call: of a paymaster, or of an account or a visitor without one. */
  takeManagementCall(caller: { readonly account: string; readonly paymasterId?: string | undefined }): number;
  /**
   * For a management call that changes something, of an account or a visitor. Credentials share the changes of their account fairly:
   * what one of them does leaves others enough to end it.
   */
  takeChange(caller: { readonly account: string; readonly credential?: string | undefined }): number;
  /** For a document that anyone may read. It counts like an RPC request without a key. */
  takeDocument(address: string): number;
  /** For an RPC request, before it is parsed. */
  takeRpcCall(key: string, address: string): number;
  /** For an RPC request that turned out to be invalid: it then only counts under its address. */
  giveBackRpcCall(key: string, address: string): void;
  /** Records the core's verdict on an RPC key. For a rejected one, returns how long to wait before trying another. */
  rememberRpcKey(key: string, verdict: 'accepted' | 'rejected', address: string): number;
};

/** One address may use half of a key's bucket: a whole burst. */
const burstsOfKey = 2;
/** An account makes as many management calls as so many paymasters may, however many it has. */
const paymastersAtOnce = 4;

const minutesOfDay = 1_440;

/** With `sharing`, the limits apply to all gateways together. */
export function createAccessLimits(limits: GatewayLimits, clock: Clock, sharing?: LimitSharing): AccessLimits {
  const { failedLoginsPerMinute, requestBurst, requestsPerSecond, managementBurst, managementPerSecond } = limits;
  const { changesPerDay } = limits;

  function buckets(name: string, capacity: number, perMinute: number): TokenBuckets {
    const onUse = sharing?.share({ name, burst: capacity, perMinute, lower: (key, left) => made.lower(key, left) });
    const made: TokenBuckets = createTokenBuckets({
      capacity,
      refillPerSecond: perMinute / 60,
      maxKeys: limits.trackedClients,
      clock,
      ...omitAbsent({ onUse }),
    });
    return made;
  }

  const failedLogins = buckets('failed logins', failedLoginsPerMinute, failedLoginsPerMinute);
  const managementCalls = buckets('management', managementBurst, managementPerSecond * 60);
  const ofAccounts = buckets(
    'management of an account',
    managementBurst * paymastersAtOnce,
    managementPerSecond * paymastersAtOnce * 60,
  );
  const changes = buckets('changes of an account', changesPerDay, changesPerDay / minutesOfDay);
  const knownKeys = buckets('apiKey', burstsOfKey * requestBurst, requestsPerSecond * 60);
  const addresses = buckets('address', requestBurst, requestsPerSecond * 60);

  return {
    takeFailedLogin: failedLogins.take,
    takeManagementCall({ account, paymasterId = account }) {
      const waitMs = ofAccounts.waitFor(account);
      return waitMs > 0 ? waitMs : managementCalls.take(paymasterId) || ofAccounts.take(account);
    },
    takeChange: ({ account, credential }) => changes.take(account, credential),
    takeDocument: (address) => addresses.take(address),
    takeRpcCall(key, address) {
      const waitMs = addresses.take(address);
      return waitMs > 0 || !knownKeys.has(key) ? waitMs : knownKeys.take(key, address);
    },
    giveBackRpcCall(key, address) {
      if (knownKeys.has(key)) knownKeys.giveBack(key, address);
    },
    rememberRpcKey(key, verdict, address) {
      if (verdict === 'rejected') {
        knownKeys.forget(key);
        return failedLogins.take(address);
      }
      // This also makes the key known.
      if (!knownKeys.has(key)) knownKeys.charge(key, address);
      return 0;
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
